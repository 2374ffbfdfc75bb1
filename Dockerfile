FROM node:24-slim AS page
WORKDIR /src/dashboard
COPY dashboard/package.json dashboard/package-lock.json dashboard/.npmrc ./
# With the optional packages: what builds the page is native.
RUN npm ci --omit=dev --no-audit --no-fund
COPY dashboard ./
COPY core/game/game.json /src/core/game/game.json
COPY core/testdata /src/core/testdata
RUN npm run build

FROM golang:1.26 AS program
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=page /src/dashboard/dist ./dashboard/dist
# Of a release, such as v1.4.0: --version, /healthz, the metrics and the page show it.
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X tradepost/cmd/tradepost/version.released=$VERSION" -o /tradepost ./cmd/tradepost && go build -C tools/licences -o /licences . && /licences /tradepost > /LICENSES.txt && mkdir /backups

FROM gcr.io/distroless/static-debian12:nonroot
LABEL org.opencontainers.image.title="Tradepost" \
      org.opencontainers.image.description="A community market for in-game items: a web page and a Discord bot" \
      org.opencontainers.image.source="https://github.com/OWNER/tradepost" \
      org.opencontainers.image.licenses="Apache-2.0"
ARG VERSION=
LABEL org.opencontainers.image.version="$VERSION"
COPY --from=program /tradepost /tradepost
COPY --from=program /src/LICENSE /LICENSES.txt /src/dashboard/dist/licences.md /licences/
# A volume that is mounted here belongs to whom the folder belongs to.
COPY --from=program --chown=65532:65532 /backups /backups
USER 65532:65532
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/tradepost", "healthcheck"]
ENTRYPOINT ["/tradepost"]
CMD ["serve"]
