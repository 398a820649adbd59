# Packs all packages as npm would publish them, and ships them with the locked versions of what they need to run.

# Debian, or another system with glibc, with Node, npm and a user `node`
ARG NODE_IMAGE=node:24-bookworm-slim

FROM $NODE_IMAGE AS build
WORKDIR /build
# what decides about the dependencies comes first, so that other changes do not install them again
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/language/package.json packages/language/
COPY packages/store/package.json packages/store/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs ./scripts/
COPY CHANGELOG.md LICENSE README.md tsconfig.json ./
COPY packages ./packages
COPY bin ./bin
COPY docs ./docs
COPY src ./src
RUN node scripts/build.mjs \
  && npm pack --silent --ignore-scripts --workspaces --include-workspace-root --pack-destination /tmp \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && mkdir -p /app/models \
  && mv node_modules /app/ \
  && for name in dossier dossier-client dossier-console dossier-language dossier-store; do \
       rm -rf /app/node_modules/$name && mkdir /app/node_modules/$name \
       && tar -xzf /tmp/$name-[0-9]*.tgz -C /app/node_modules/$name --strip-components=1; \
     done \
  # links of workspaces that are not part of the server, caches, and the database driver of another C library
  && find /app/node_modules -maxdepth 1 -xtype l -delete \
  && rm -rf /app/node_modules/.cache /app/node_modules/@libsql/*-musl \
  # types and source maps are for editors
  && find /app/node_modules \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete \
  && find /app/node_modules -type d -empty -delete

FROM $NODE_IMAGE
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4001 \
    DATA_DIR=/data \
    BACKUP_DIR=/backups
WORKDIR /app
COPY --from=build /app ./
RUN install -d -o node -g node -m 0700 /data /backups
USER node
VOLUME /data /backups
EXPOSE 4001
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node is process 1, so that SIGTERM reaches it
ENTRYPOINT ["node", "--max-semi-space-size=64", "node_modules/dossier/bin/dossier.mjs"]
CMD ["start"]
