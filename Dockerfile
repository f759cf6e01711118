# The local service as an image (docs/container.md): `full` with all engines, `slim` with Chromium alone.
# Run as an unprivileged user on a read-only root: compose.yaml says which folders have to be writable.

FROM node:24.21.0-trixie-slim AS build
ENV LANG=C.UTF-8 NODE_ENV=production
WORKDIR /platen
COPY package.json package-lock.json ./
COPY packages packages
# With what is for development: the stacks are made by it.
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
# The stacks with their layers and the Studio, so that a start only serves: nothing of them can be written on a read-only
# root. Then what only building takes goes: fonts and Chromium are in the layers now, and what functions need of packages is in their bundles.
RUN node --input-type=module -e "import { ensureAssembly } from '@platen/aws-local/synth'; import { ensureDocumentation } from './bin/site/serve.ts'; import { ensureStudio } from './bin/studio.ts'; await ensureAssembly({ root: process.cwd() }); await ensureStudio(process.cwd()); await ensureDocumentation(process.cwd())" \
 && cd node_modules \
 && rm -rf .cache ../layers/*/dist* ../.platen/docs-source @algolia @aws-cdk @babel @codemirror @docsearch @embedpdf @expo-google-fonts @iconify-json @imagemagick \
    @lezer @myriaddreamin @napi-rs @oxc-parser @oxc-resolver @oxlint @oxlint-tsgolint @redocly @rolldown @rollup @shikijs @sparticuz @types @typescript @vitest @vue \
    @vueuse algoliasearch asl-validator aws-cdk aws-cdk-lib axe-core bwip-js cdk-nag chart.js chromium-bidi devtools-protocol echarts highlight.js hyphen knip \
    lightningcss* mark.js node node-bin-* oxc-* oxlint* pdf-lib pdfjs-dist prettier puppeteer-core rolldown rollup shiki typescript vite vitepress vitest vue \
    zrender zxing-wasm

FROM node:24.21.0-trixie-slim AS slim
ENV LANG=C.UTF-8 NODE_ENV=production PLATEN_DATA_DIR=/data PLATEN_HOST=0.0.0.0 PLATEN_PORT=8080 PLATEN_INSTALL_ENGINES=false
WORKDIR /platen
COPY --from=build /platen /platen
# The layer's browser is for x64 alone; elsewhere, Debian's prints.
RUN if [ "$(dpkg --print-architecture)" != amd64 ]; then \
      apt-get update && apt-get install -y --no-install-recommends chromium && rm -rf /var/lib/apt/lists/*; \
    fi
# The folders that a container has its own of.
RUN mkdir -p /data .platen/engine node_modules/.cache/platen \
 && chown 1000:1000 /data .platen/engine node_modules/.cache/platen
USER 1000:1000
VOLUME /data
EXPOSE 8080
# Whether the service takes requests: no function and no engine has to start for it, which would take memory from requests.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLATEN_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "bin/serve.ts"]

FROM slim AS full
USER root
COPY functions/convert/container/packages.txt /tmp/packages.txt
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive xargs -a /tmp/packages.txt apt-get install -y --no-install-recommends \
 && rm -rf /var/lib/apt/lists/* /tmp/packages.txt
USER 1000:1000
