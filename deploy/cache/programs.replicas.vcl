# Two programs on other machines: install this file as /etc/varnish/programs.vcl.

probe ready {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 2s;
    .window = 4;
    .threshold = 2;
    .initial = 2;
}

backend one {
    .host = "10.0.0.11";
    .port = "8080";
    .connect_timeout = 1s;
    .first_byte_timeout = 20s;
    .probe = ready;
}

backend two {
    .host = "10.0.0.12";
    .port = "8080";
    .connect_timeout = 1s;
    .first_byte_timeout = 20s;
    .probe = ready;
}

sub vcl_init {
    new programs = directors.round_robin();
    programs.add_backend(one);
    programs.add_backend(two);
}

# Machines on which programs run: CACHE_PURGE_URL of each names the purge port of this cache.
acl purgers {
    "127.0.0.1";
    "::1";
    "10.0.0.0"/24;
}

# Where TLS ends: its X-Forwarded-For names the visitor.
acl proxies {
    "127.0.0.1";
    "::1";
}
