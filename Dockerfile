# The service as an image: docker build --tag cal-events .
# The same Node version as in the tests, `node` in package.json; test/ops/ops.test.ts compares them.
ARG NODE=node:26.9.0-trixie-slim

# Only what the service needs at run time, and nothing that builds it.
FROM ${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY tools/build.ts tools/bundle.desk.ts tools/
COPY src src
RUN node tools/build.ts

FROM ${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE CHANGELOG.md SECURITY.md ./
COPY bin bin
# The guides, which the service shows.
COPY docs docs
COPY packages/client/README.md packages/client/
# A volume inherits this owner. Everything else belongs to root, so the service cannot change its own program.
RUN mkdir /data && chown node:node /data
VOLUME /data
# A numeric id, so that Kubernetes can check that it is not root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/health/live`); process.exit(Number(!ok))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/cal-events.mjs"]
CMD ["serve"]
