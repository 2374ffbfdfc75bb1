vcl 4.1;

# A cache in front of Tradepost. It keeps what the program says may be kept (Surrogate-Control), until the program purges it by
# its keys (Surrogate-Key). It needs the packages varnish and varnish-modules.

import directors;
import std;
import var;
import vsthrottle;
import xkey;

include "programs.vcl";

sub vcl_recv {
    if (req.restarts == 0) { # nobody else sets these
        unset req.http.X-Any-Age;
        unset req.http.X-Fresh;
        unset req.http.X-Shared;
        unset req.http.X-Encoding;
        unset req.http.X-View;
        unset req.http.X-Language;
    }
    if (local.socket == "purge" || req.method == "PURGE") {
        call take_purge;
    }
    set req.backend_hint = programs.backend();

    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url ~ "^/api/events(\?|$)") {
        return (pipe);
    }
    # A program with a token reads as the person who made the token.
    if (req.http.Authorization) {
        return (pass);
    }

    # What a user has just written is read past the cache, as their page asks for 2 seconds. Somebody who asks for too much of
    # that gets what the others get.
    if (req.restarts == 0 && req.url ~ "^/api/" && req.http.Cache-Control ~ "no-cache" && std.healthy(req.backend_hint)) {
        if (client.ip ~ proxies && req.http.X-Forwarded-For ~ ",") {
            set req.http.X-Visitor = regsub(req.http.X-Forwarded-For, "^.*?([^, ]+) *, *[^, ]+$", "\1");
        } else {
            set req.http.X-Visitor = client.ip;
        }
        if (!vsthrottle.is_denied("no-cache " + req.http.X-Visitor, 60, 10s)) {
            return (pass);
        }
    }

    # Only these are looked up. Their answers are the same for everybody, so the program does not learn who asks.
    if (req.url ~ "^/(\?|$)") {
        if (req.http.Cookie ~ "(^|; *)tradepost_view=(list|cards)(;|$)") {
            set req.http.X-View = regsub(req.http.Cookie, "^(?:.*; *)?tradepost_view=(list|cards)(?:;.*)?$", "\1");
        }
        if (req.url ~ "[?&]request=") {
            return (pass);
        }
    } else if (req.url ~ "^/(assets/|favicon|apple-touch-icon|icon-|manifest|card\.png|(requests|items)/[0-9]+(/|\?|$)|items(/wanted)?(\?|$)|(mine|completed|selling|offers|inbox|trades|stock|wanted|moderation|traders|lists)(/|\?|$))") {
        set req.url = regsub(req.url, "\?.*$", ""); # it is for browsers
        if (req.url ~ "^/assets/" && req.http.Accept-Encoding ~ "\bbr\b") {
            set req.http.X-Encoding = "br";
        }
    } else if (req.url ~ "^/api/orders/[0-9]+$" || req.url == "/api/me") {
        if (req.http.Cookie ~ "(^|; *)(__Host-)?session=") { # who is signed in sees more
            return (pass);
        }
    } else if (req.url !~ "^/api/(orders(/counts)?(\?|$)|catalogue/[0-9]+(/prices|/odds)?(\?|$)|wanted$|public/(orders(\?|$)|(catalogue|prices|wanted)$))" || req.url ~ "[?&](q|ids|item|cursor|limit|skill|level|minPrice|maxPrice|importance)=") {
        return (pass);
    }
    # Documents have a language. The program learns only which one was chosen, so that each is kept under its own.
    if (req.url !~ "^/(api/|assets/|favicon|apple-touch-icon|icon-|manifest)|card\.png") {
        call choose_language;
    }
    unset req.http.Cookie;
    unset req.http.Accept-Language;
    if (req.http.X-Language) {
        set req.http.Accept-Language = req.http.X-Language;
    }
    if (req.http.X-View) {
        set req.http.Cookie = "tradepost_view=" + req.http.X-View;
    }
    set req.http.X-Shared = "1";

    # While no program answers, an old answer is better than none.
    if (req.http.X-Any-Age || !std.healthy(req.backend_hint)) {
        set req.http.X-Any-Age = "1";
        set req.grace = 1d;
        set req.hash_always_miss = false;
    } else if (req.http.X-Fresh) {
        set req.grace = 0s;
    }
    return (hash);
}

# The language that was chosen in this browser, else the first that it accepts of those that the program has (core/text).
sub choose_language {
    set req.http.X-Language = "en";
    if (req.http.Cookie ~ "(^|; *)tradepost_language=(en|de)(;|$)") {
        set req.http.X-Language = regsub(req.http.Cookie, "^(?:.*; *)?tradepost_language=(en|de)(?:;.*)?$", "\1");
    } else if (req.http.Accept-Language ~ "(?i)(^|,) *(en|de)(?![a-z])") {
        set req.http.X-Language = std.tolower(regsub(req.http.Accept-Language, "(?i)^(?:.*?,)?? *(en|de)(?![a-z]).*$", "\1"));
    }
}

# Purges come to a port of their own, from the programs.
sub take_purge {
    if (local.socket != "purge" || client.ip !~ purgers || req.method != "PURGE" || !req.http.Surrogate-Key) {
        return (synth(405, "Method Not Allowed"));
    }
    # What has one of these keys is stale from now on, and also what is on its way from a program: vcl_hit compares the times. It
    # stays until it is read again, for when no program answers.
    if (req.http.Surrogate-Key ~ "(^| )all( |$)") {
        var.global_set("all", "" + std.time2real(now, 0.0));
    }
    if (req.http.Surrogate-Key ~ "(^| )lists( |$)") {
        var.global_set("lists", "" + std.time2real(now, 0.0));
    }
    if (req.http.Surrogate-Key ~ "(^| )items( |$)") {
        var.global_set("items", "" + std.time2real(now, 0.0));
    }
    if (req.http.Surrogate-Key ~ "(^| )trades( |$)") {
        var.global_set("trades", "" + std.time2real(now, 0.0));
    }
    set req.http.X-Purged = xkey.softpurge(regsuball(req.http.Surrogate-Key, "\border-[0-9]+", ""));
    # What shows one request goes at once: a moderator may have removed it.
    if (req.http.Surrogate-Key ~ "(^| )order-") {
        var.global_set("order", "" + std.time2real(now, 0.0));
        set req.http.X-Purged = xkey.purge(regsuball(req.http.Surrogate-Key, "\b(all|lists|items|trades)\b", ""));
    }
    return (synth(200, "Purged"));
}

sub vcl_hash {
    hash_data(req.url); # there is one site, whatever it is called
    hash_data(req.http.X-View);
    hash_data(req.http.X-Language);
    hash_data(req.http.X-Encoding);
    return (lookup);
}

sub vcl_hit {
    if (req.http.X-Any-Age || req.restarts >= 2) {
        return (deliver);
    }
    if (std.real(var.global_get("all"), 0.0) >= std.real(obj.http.X-Began, 0.0) && obj.http.xkey ~ "\ball\b"
        || std.real(var.global_get("lists"), 0.0) >= std.real(obj.http.X-Began, 0.0) && obj.http.xkey ~ "\blists\b"
        || std.real(var.global_get("items"), 0.0) >= std.real(obj.http.X-Began, 0.0) && obj.http.xkey ~ "\bitems\b"
        || std.real(var.global_get("trades"), 0.0) >= std.real(obj.http.X-Began, 0.0) && obj.http.xkey ~ "\btrades\b") {
        # Something that it shows has changed since: the reader waits for what is true now.
        set req.http.X-Fresh = "1";
        set req.hash_always_miss = obj.ttl > 0s; # it was on its way while it was purged
        return (restart);
    }
    if (obj.ttl + std.duration(obj.http.X-Revalidate, 0s) < 0s) {
        set req.http.X-Fresh = "1"; # nothing has, as far as is known, but it is too old
        return (restart);
    }
    return (deliver); # when its time is over, the next one is fetched meanwhile
}

sub vcl_backend_fetch {
    unset bereq.http.X-Any-Age;
    unset bereq.http.X-Fresh;
    unset bereq.http.X-Shared;
    unset bereq.http.X-View;
    unset bereq.http.X-Language;
    unset bereq.http.X-Visitor;
    if (bereq.http.X-Encoding) {
        set bereq.http.Accept-Encoding = bereq.http.X-Encoding;
        unset bereq.http.X-Encoding;
    }
    if (!bereq.uncacheable) {
        set bereq.first_byte_timeout = 5s; # others wait for it, too
    }
    var.set_real("began", std.time2real(now, 0.0));
}

sub vcl_backend_response {
    if (bereq.uncacheable) {
        return (deliver);
    }
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    if (beresp.status != 200 || beresp.http.Set-Cookie || beresp.http.Surrogate-Control !~ "max-age=[0-9]+") {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s; # meanwhile nobody waits for the answer of another
        return (deliver);
    }
    set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
    set beresp.grace = 1h;
    set beresp.http.X-Revalidate = "0s";
    if (beresp.http.Surrogate-Control ~ "stale-while-revalidate=[0-9]+") {
        set beresp.http.X-Revalidate = regsub(beresp.http.Surrogate-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s");
    }
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    set beresp.http.X-Began = "" + var.get_real("began");
    if (beresp.http.xkey ~ "\border-" && std.real(var.global_get("order"), 0.0) >= var.get_real("began")) {
        set beresp.ttl = 0s; # the program may have read it before what was purged meanwhile
        set beresp.grace = 0s;
    }
    if (!beresp.http.Content-Encoding && beresp.http.Content-Type ~ "json|text|svg") {
        set beresp.do_gzip = true;
    }
    unset beresp.http.X-Request-Id; # of the request that fetched it
    unset beresp.http.RateLimit; # what is left for the client that asked
    unset beresp.http.RateLimit-Policy;
    return (deliver);
}

sub vcl_backend_error {
    if (bereq.method == "GET" || bereq.method == "HEAD") {
        if (bereq.retries < 1) {
            return (retry); # at another program, if there is one
        }
    }
    if (bereq.is_bgfetch) {
        return (abandon);
    }
    call say_busy_backend;
    return (deliver);
}

sub vcl_deliver {
    if (resp.status >= 500 && req.http.X-Shared && !req.http.X-Any-Age) {
        set req.http.X-Any-Age = "1";
        return (restart);
    }
    unset resp.http.Surrogate-Control;
    unset resp.http.Surrogate-Key;
    unset resp.http.xkey;
    unset resp.http.X-Began;
    unset resp.http.X-Revalidate;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    if (req.url ~ "^/api/public/") {
        unset resp.http.Age; # it is purged when it changes, so it is as good as new
    }
    return (deliver);
}

sub vcl_synth {
    if (resp.status >= 500 && req.http.X-Shared && !req.http.X-Any-Age) {
        set req.http.X-Any-Age = "1";
        return (restart);
    }
    set resp.http.Content-Type = "text/plain; charset=utf-8";
    set resp.http.Cache-Control = "no-store";
    set resp.http.X-Content-Type-Options = "nosniff";
    if (resp.status == 503) {
        set resp.http.Retry-After = "1";
        set resp.reason = "Service Unavailable";
    }
    synthetic(resp.reason + {"
"});
    return (deliver);
}

sub say_busy_backend {
    set beresp.http.Content-Type = "text/plain; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.X-Content-Type-Options = "nosniff";
    set beresp.http.Retry-After = "1";
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    set beresp.reason = "Service Unavailable";
    synthetic({"The market cannot be reached for the moment. Please try again.
"});
}
