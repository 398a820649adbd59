/**
 * `npm run release`: publishes the packages of a tagged commit. `.github/workflows/release.yml` runs it after the tests; with `--dry-run`
 * it does everything but sending. `npm run release -- --set 4.1.0` sets the version of all packages (CONTRIBUTING.md, "Release").
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Manifest, planRelease, type ReleasePlan, withVersion } from './release/plan.ts';

/** Where the tarballs and the text of the release are written. */
const output = 'release';
const root = 'dossier';
const shell = process.platform === 'win32';

const usage = `npm run release -- [options]

Builds, packs and publishes the version of package.json.

  --dry-run        everything but sending; the commit needs no tag
  --set <version>  set the version of all packages instead
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns standard output @throws Error with the output of a command that fails */
function run(command: string, ...args: string[]): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { shell, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed\n${error?.message ?? stdout + stderr}`);
  return stdout;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const manifestFiles = (): string[] => [
  ...readdirSync('packages').map((name) => join('packages', name, 'package.json')),
  'package.json',
];

const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

function setVersion(version: string): void {
  const files = manifestFiles();
  const manifests = files.map(read);
  for (const [at, manifest] of manifests.entries())
    writeFileSync(files[at]!, `${JSON.stringify(withVersion(manifest, manifests, version), undefined, 2)}\n`);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  say(`All packages have the version ${version}.`);
}

function plan(dryRun: boolean): ReleasePlan {
  const repository = {
    manifests: manifestFiles().map(read),
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    changedFiles: linesOf(run('git', 'status', '--porcelain')).map((line) => line.slice('XY '.length)),
    tags: linesOf(run('git', 'tag', '--points-at', 'HEAD')),
  };
  return planRelease(repository, root, { dryRun });
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly entryCount: number;
  readonly integrity: string;
}

/** Names the repository in the packages: npm attests only packages that name the one whose workflow publishes them. */
function nameRepository(): void {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (name === undefined) return;
  const fields = ['repository.type=git', `repository.url=git+${server}/${name}.git`];
  run('npm', 'pkg', 'set', '--workspaces', '--include-workspace-root', ...fields);
}

/** Builds and packs the packages. @returns them in the order of the plan */
function pack({ packages }: ReleasePlan): Packed[] {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  nameRepository();
  run('npm', 'run', 'build');
  const flags = [
    '--ignore-scripts',
    '--json',
    '--workspaces',
    '--include-workspace-root',
    '--pack-destination',
    output,
  ];
  const packed = Object.values(JSON.parse(run('npm', 'pack', ...flags)) as Readonly<Record<string, Packed>>);
  return packages.map((name) => {
    const found = packed.find((one) => one.name === name);
    if (found === undefined) throw new Error(`npm has not packed ${name}`);
    return found;
  });
}

/** Whether a package has been published already: a release that has stopped in the middle is run again. */
const isPublished = (name: string, version: string): boolean =>
  spawnSync('npm', ['view', `${name}@${version}`, 'version'], { shell, encoding: 'utf8' }).stdout.trim() === version;

function publish({ name, filename }: Packed, { version, channel }: ReleasePlan): void {
  if (isPublished(name, version)) return say(`${name} ${version} is published already.`);
  // npm attests the commit and the workflow that have made the tarball
  run('npm', 'publish', join(output, filename), '--provenance', '--access', 'public', '--tag', channel);
  say(`${name} ${version} is published as ${channel}.`);
}

function release(dryRun: boolean): void {
  const planned = plan(dryRun);
  const packed = pack(planned);
  for (const { filename, size, entryCount, integrity } of packed)
    say(`${filename}: ${entryCount} files, ${Math.ceil(size / 1000)} kB, ${integrity}`);
  writeFileSync(join(output, 'notes.md'), `${planned.notes}\n`);
  if (dryRun)
    say(`${planned.tag} can be released as ${planned.channel}: ${planned.packages.join(', ')}. Nothing has been sent.`);
  else for (const one of packed) publish(one, planned);
}

function main(): void {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, set: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return void process.stdout.write(usage);
  if (values.set !== undefined) return setVersion(values.set);
  release(values['dry-run'] === true);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
