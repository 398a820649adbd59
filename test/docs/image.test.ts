/** The image and the example composition, checked without a container. The public workflow builds and runs the image. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settingRows } from '../../src/settings/table.ts';
import { stepsOf, textOf } from './guide-steps.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

const compose = parse(readFileSync('docs/examples/compose.yaml', 'utf8'), { merge: true }) as Composition;
const services = Object.entries(compose.services);
const servers = services.filter(([, { image }]) => image === 'dossier');
const dockerfile = readFileSync('Dockerfile', 'utf8').replace(/^\s*#.*\n/gm, '');

test('the composition has a replica set, two servers and a proxy', () => {
  const members = services.filter(([, { command = [] }]) => command.includes('--replSet'));
  expect(members).toHaveLength(3);
  expect(servers).toHaveLength(2);
  const [{ MONGODB_URL = '' } = {}] = servers.map(([, { environment }]) => environment);
  for (const [name] of members) expect(MONGODB_URL).toContain(name);
  expect(MONGODB_URL).toContain('replicaSet=rs0');
  const caddyfile = compose.configs['caddyfile']?.content ?? '';
  for (const [name] of servers) expect(caddyfile).toContain(`${name}:4001`);
  // only the proxy is reachable from outside
  expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['proxy']);
});

test('the servers of the composition are read-only, and all their settings exist', () => {
  const variables = settingRows.map(({ variable }) => variable);
  for (const [, { read_only, tmpfs, environment = {} }] of servers) {
    expect({ read_only, tmpfs }).toEqual({ read_only: true, tmpfs: ['/tmp'] });
    expect(Object.keys(environment).filter((name) => !variables.includes(name))).toEqual([]);
  }
});

test('all networks, volumes, configs and services that the composition names are declared', () => {
  for (const [name, { networks = [], volumes = [], configs = [], depends_on = {} }] of services) {
    const named = volumes.map((volume) => volume.split(':')[0] ?? '').filter((volume) => !volume.startsWith('.'));
    const unknown = [
      ...networks.filter((network) => !(network in compose.networks)),
      ...named.filter((volume) => !(volume in compose.volumes)),
      ...configs.map(({ source }) => source).filter((source) => !(source in compose.configs)),
      ...Object.keys(depends_on).filter((service) => !(service in compose.services)),
    ];
    expect({ name, unknown }).toEqual({ name, unknown: [] });
  }
});

test('the composition with the embedded store keeps data and backups in volumes of the image, and all its settings exist', () => {
  const stored = parse(readFileSync('docs/examples/compose-store.yaml', 'utf8')) as Composition;
  const { server } = stored.services;
  expect(server).toMatchObject({ image: 'dossier', read_only: true, tmpfs: ['/tmp'] });
  const [, , shipped = ''] = dockerfile.split(/^FROM /m);
  const volumes = /^VOLUME (.*)$/m.exec(shipped)?.[1]?.split(' ') ?? [];
  const folders = ['DATA_DIR', 'BACKUP_DIR'].map((name) => new RegExp(`${name}=(\\S+)`).exec(shipped)?.[1]);
  expect(volumes).toEqual(folders);
  const mounted = (server?.volumes ?? []).map((volume) => volume.split(':').at(-1));
  for (const folder of volumes) {
    expect(shipped).toMatch(new RegExp(`^RUN install -d -o node .*${folder}`, 'm'));
    expect(mounted).toContain(folder);
  }
  expect(Object.keys(stored.volumes)).toEqual(['data', 'backups']);
  const variables = settingRows.map(({ variable }) => variable);
  expect(Object.keys(server?.environment ?? {}).filter((name) => !variables.includes(name))).toEqual([]);
});

test('the image ships the packed packages, runs as an unprivileged user, and has a health check and a direct process', () => {
  const [, build = '', shipped = ''] = dockerfile.split(/^FROM /m);
  expect(build).toContain('npm pack');
  expect(build).toContain('npm prune --omit=dev');
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  for (const name of ['dossier', ...Object.keys(dependencies).filter((one) => one.startsWith('dossier-'))])
    expect(/for name in ([^;]+);/.exec(build)?.[1]?.split(' ')).toContain(name);
  // only what the build has put into /app
  expect(shipped.match(/^COPY .*/gm)).toEqual(['COPY --from=build /app ./']);
  expect(shipped).toMatch(/^USER node$/m);
  expect(shipped).toMatch(/^HEALTHCHECK /m);
  expect(shipped).toMatch(/^ENTRYPOINT \["node", .*"node_modules\/dossier\/bin\/dossier\.mjs"\]$/m);
});

test('the commands of the guide name what the image has', () => {
  const steps = stepsOf(textOf('docs/deploying.md'));
  const commands = steps.flatMap((step) =>
    step.kind === 'command' && step.text.startsWith('docker ') ? [step.text] : [],
  );
  const [build = '', run = ''] = commands;
  const tag = /^docker build -t (\S+) \.$/.exec(build)?.[1];
  expect(run).toMatch(new RegExp(`^docker run .* ${tag}$`, 's'));
  const [, , shipped = ''] = dockerfile.split(/^FROM /m);
  const ofFlag = (pattern: RegExp): readonly string[] => [...run.matchAll(pattern)].map(([, found = '']) => found);
  const folders = [
    ...(/^VOLUME (.*)$/m.exec(shipped)?.[1] ?? '').split(' '),
    `${/^WORKDIR (.*)$/m.exec(shipped)?.[1]}/models`,
  ];
  const mounted = ofFlag(/ -v [^:]+:([^:\s"]+)/g);
  expect(mounted.length).toBeGreaterThan(1);
  expect(mounted.filter((folder) => !folders.includes(folder))).toEqual([]);
  expect(ofFlag(/ -p \d+:(\d+)/g)).toEqual([/^EXPOSE (\d+)$/m.exec(shipped)?.[1]]);
  const variables = settingRows.map(({ variable }) => variable);
  expect(ofFlag(/ -e (\w+)=/g).filter((name) => !variables.includes(name))).toEqual([]);
});
