/** A release: which state of the repository is ready for it, what it publishes in which order, and the workflow that runs it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Manifest, planRelease, type Repository, withVersion } from '../../scripts/release/plan.ts';

const manifest = (name: string, dependencies: Manifest['dependencies'] = {}, version = '4.1.0'): Manifest => ({
  name,
  version,
  dependencies,
});

const ready: Repository = {
  manifests: [
    manifest('dossier', { store: '4.1.0', client: '4.1.0', express: '^5.0.0' }),
    manifest('store', { language: '4.1.0' }),
    manifest('client'),
    { ...manifest('console'), devDependencies: { client: '4.1.0' } },
    manifest('language'),
  ],
  changelog:
    '# Changelog\n\n## [4.1.0] – 2027-01-31\n\n### Added\n\n- A thing.\n\n## [4.0.0] – 2026-12-01\n\n- Another.\n',
  changedFiles: [],
  tags: ['v4.1.0'],
};

const versioned = (version: string): Repository => ({
  ...ready,
  manifests: ready.manifests.map((one) => withVersion(one, ready.manifests, version)),
  changelog: `## [${version}] – 2027-01-31\n\n- A thing.\n`,
  tags: [`v${version}`],
});

const plan = (repository: Repository, dryRun = false): ReturnType<typeof planRelease> =>
  planRelease(repository, 'dossier', { dryRun });

describe('a release', () => {
  test('publishes each package after those that it depends on, with the section of the changelog', () => {
    expect(plan(ready)).toEqual({
      version: '4.1.0',
      tag: 'v4.1.0',
      channel: 'latest',
      packages: ['language', 'store', 'client', 'dossier', 'console'],
      notes: '### Added\n\n- A thing.',
    });
  });

  test.each([
    ['4.1.0', 'latest'],
    ['4.1.0-beta.1', 'beta'],
    ['5.0.0-rc.12', 'rc'],
  ])('of %s has the dist-tag %s', (version, channel) => {
    expect(plan(versioned(version))).toMatchObject({ version, tag: `v${version}`, channel });
  });

  test.each<[string, Partial<Repository>, string[]]>([
    [
      'a package of another version',
      { manifests: [...ready.manifests.slice(0, -1), manifest('language', {}, '4.0.0')] },
      ['language must have the version 4.1.0, got 4.0.0'],
    ],
    [
      'a dependency on another version',
      { manifests: [...ready.manifests.slice(0, -1), manifest('language'), manifest('types', { client: '^4.0.0' })] },
      ['types must depend on client 4.1.0, got ^4.0.0'],
    ],
    [
      'a changelog without the version',
      { changelog: '## [4.0.0] – 2026-12-01\n' },
      ['CHANGELOG.md must have the section "## [4.1.0] – <date as YYYY-MM-DD>"'],
    ],
    [
      'a changelog without the date',
      { changelog: '## [4.1.0] – in progress\n' },
      ['CHANGELOG.md must have the section "## [4.1.0] – <date as YYYY-MM-DD>"'],
    ],
    ['a changed file', { changedFiles: ['src/main.ts'] }, ['src/main.ts differs from the commit']],
    ['no tag', { tags: [] }, ['the commit must have the tag v4.1.0, has none']],
    ['another tag', { tags: ['v4.0.0'] }, ['the commit must have the tag v4.1.0, has v4.0.0']],
    [
      'several of them',
      { changedFiles: ['README.md'], tags: [] },
      ['README.md differs from the commit', 'the commit must have the tag v4.1.0, has none'],
    ],
  ])('is refused with %s', (_, part, faults) => {
    const text = ['4.1.0 cannot be released:', ...faults.map((fault) => `- ${fault}`)].join('\n');
    expect(() => plan({ ...ready, ...part })).toThrow(new Error(text));
  });

  test('is refused with a version that is none', () => {
    expect(() => plan(versioned('4.1'))).toThrow('the version must be like 4.1.0 or 4.1.0-beta.1, got "4.1"');
  });

  test('is refused with packages that depend on each other', () => {
    const manifests = [manifest('dossier', { store: '4.1.0' }), manifest('store', { dossier: '4.1.0' })];
    expect(() => plan({ ...ready, manifests })).toThrow('dossier → store → dossier depend on each other');
  });

  test('can be tried without a tag, and with changed files', () => {
    expect(plan({ ...ready, changedFiles: ['src/main.ts'], tags: [] }, true)).toMatchObject({ tag: 'v4.1.0' });
  });
});

test('a version is set for all packages, and for their dependencies on each other', () => {
  const [server, , , pages] = ready.manifests.map((one) => withVersion(one, ready.manifests, '5.0.0'));
  expect(server).toEqual(manifest('dossier', { store: '5.0.0', client: '5.0.0', express: '^5.0.0' }, '5.0.0'));
  expect(pages).toEqual({ ...manifest('console', {}, '5.0.0'), devDependencies: { client: '5.0.0' } });
});

const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

test('this repository can be released but for the tag', () => {
  const manifests = [...readdirSync('packages').map((name) => `packages/${name}/package.json`), 'package.json'].map(
    read,
  );
  const repository = { manifests, changelog: readFileSync('CHANGELOG.md', 'utf8'), changedFiles: [], tags: [] };
  const { packages } = plan(repository, true);
  expect([...packages].sort()).toEqual(manifests.map(({ name }) => name).sort());
});

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string; readonly uses?: string; readonly permissions?: object }>
  >;
}

const workflow = (name: string): Workflow => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;

const onPosix = process.platform === 'win32' ? test.skip : test;

// npm makes the programs of a linked package executable: their files would then differ from what is committed.
onPosix('the programs of the packages are executable', () => {
  const files = [...readdirSync('packages').map((name) => `packages/${name}/package.json`), 'package.json'];
  const programs = files.flatMap((file) => {
    const { bin = {} } = JSON.parse(readFileSync(file, 'utf8')) as { bin?: Readonly<Record<string, string>> };
    return Object.values(bin).map((path) => join(dirname(file), path));
  });
  expect(programs).toContain(join('bin', 'dossier.mjs'));
  expect(programs.filter((path) => (statSync(path).mode & 0o111) !== 0o111)).toEqual([]);
});

describe('the workflow of a release', () => {
  const { on, jobs } = workflow('release');

  test('starts with a tag and repeats CI before it sends anything', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs['ci']).toEqual({ uses: './.github/workflows/ci.yml' });
    expect(workflow('ci').on).toHaveProperty('workflow_call');
    const before = (name: string): string[] => {
      const needed = jobs[name]?.needs;
      return needed === undefined ? [name] : [...before(needed), name];
    };
    for (const name of Object.keys(jobs)) expect(before(name)[0]).toBe('ci');
  });

  test('gives its identity to the job that publishes, and the right to write to the one that writes the text', () => {
    const rights = Object.entries(jobs).flatMap(([name, { permissions }]) =>
      permissions ? [[name, permissions]] : [],
    );
    expect(Object.fromEntries(rights)).toEqual({
      packages: { contents: 'read', 'id-token': 'write' },
      text: { contents: 'write' },
    });
  });
});
