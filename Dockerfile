# The local service as an image (docs/container.md): `full` with all engines, `slim` with Chromium alone.
# Run as an unprivileged user on a read-only root: compose.yaml says which folders have to be writable.

FROM node:24.21.0-trixie-slim AS slim
ENV LANG=C.UTF-8 NODE_ENV=production PLATEN_DATA_DIR=/data PLATEN_HOST=0.0.0.0 PLATEN_PORT=8080 PLATEN_INSTALL_ENGINES=false
WORKDIR /platen
COPY package.json package-lock.json ./
COPY packages packages
# With what is for development: the stacks are made by it.
# Not `npm ci`: it refuses a lock file made where the registry had not every platform's variant of a package.
RUN npm install --no-save --include=dev --no-audit --no-fund && npm cache clean --force
COPY . .
# The stacks with their layers and the Studio, so that a start only serves: nothing of them can be written on a read-only
# root; and the folders that a container has its own of.
RUN node --input-type=module -e "import { ensureAssembly } from '@platen/aws-local/synth'; import { ensureStudio } from './bin/studio.ts'; await ensureAssembly({ root: process.cwd() }); await ensureStudio(process.cwd())" \
 && mkdir -p /data .platen/engine node_modules/.cache/platen \
 && chown 1000:1000 /data .platen/engine node_modules/.cache/platen
USER 1000:1000
VOLUME /data
EXPOSE 8080
# An answer of a function, through the gateway, that takes no token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLATEN_PORT}/v1/openapi.json`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/serve.ts"]

FROM slim AS full
USER root
COPY functions/convert/container/packages.txt /tmp/packages.txt
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive xargs -a /tmp/packages.txt apt-get install -y --no-install-recommends \
 && rm -rf /var/lib/apt/lists/* /tmp/packages.txt
USER 1000:1000
