/** What a release consists of, and whether the repository is ready for it. Pure. */

/** The parts of a `package.json` that a release depends on. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The state of the repository. */
export interface Repository {
  /** Of the root and of all workspaces. */
  readonly manifests: readonly Manifest[];
  /** The text of `CHANGELOG.md`. */
  readonly changelog: string;
  /** Files that differ from the commit. */
  readonly changedFiles: readonly string[];
  /** The tags of the commit. */
  readonly tags: readonly string[];
}

export interface ReleasePlan {
  readonly version: string;
  /** The tag of the commit that is released. */
  readonly tag: string;
  /** The dist-tag of npm: `latest`, or the name of the prerelease, so that `npm install dossier` stays on releases. */
  readonly channel: string;
  /** Names of the packages, each after those that it depends on. */
  readonly packages: readonly string[];
  /** The section of the changelog, as Markdown. */
  readonly notes: string;
}

/** A version of Semantic Versioning 2.0.0, without build metadata; the group is the name of a prerelease. */
const versionPattern = /^\d+\.\d+\.\d+(?:-([a-z]+)\.\d+)?$/;

/**
 * Plans the release of the root's version.
 *
 * @throws Error that lists everything that is not ready: versions that differ, dependencies on other versions of the packages, a
 * changelog without the version and its date, and, unless it is a dry run, changed files and a commit without the tag
 */
export function planRelease(
  repository: Repository,
  root: string,
  { dryRun }: { readonly dryRun: boolean },
): ReleasePlan {
  const { manifests, changelog } = repository;
  const version = manifests.find(({ name }) => name === root)?.version ?? '';
  const tag = `v${version}`;
  const notes = notesFor(changelog, version);
  const faults = [
    ...(versionPattern.test(version) ? [] : [`the version must be like 4.1.0 or 4.1.0-beta.1, got "${version}"`]),
    ...manifests.flatMap((manifest) => versionFaults(manifest, manifests, version)),
    ...(notes === undefined ? [`CHANGELOG.md must have the section "## [${version}] – <date as YYYY-MM-DD>"`] : []),
    ...(dryRun ? [] : stateFaults(repository, tag)),
  ];
  if (faults.length > 0)
    throw new Error(`${version} cannot be released:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  return {
    version,
    tag,
    channel: versionPattern.exec(version)?.[1] ?? 'latest',
    packages: inOrder(manifests),
    notes: notes ?? '',
  };
}

function versionFaults(manifest: Manifest, all: readonly Manifest[], version: string): string[] {
  const own =
    manifest.version === version ? [] : [`${manifest.name} must have the version ${version}, got ${manifest.version}`];
  const others = linksOf(manifest, all)
    .filter(([, range]) => range !== version)
    .map(([name, range]) => `${manifest.name} must depend on ${name} ${version}, got ${range}`);
  return [...own, ...others];
}

/** The dependencies of a package on others of the repository. */
function linksOf(
  { dependencies, devDependencies }: Manifest,
  all: readonly Manifest[],
): [name: string, range: string][] {
  const names = new Set(all.map(({ name }) => name));
  return Object.entries({ ...devDependencies, ...dependencies }).filter(([name]) => names.has(name));
}

const stateFaults = ({ changedFiles, tags }: Repository, tag: string): string[] => [
  ...changedFiles.map((file) => `${file} differs from the commit`),
  ...(tags.includes(tag) ? [] : [`the commit must have the tag ${tag}, has ${tags.join(', ') || 'none'}`]),
];

/** @returns the text below the heading of a version with its date; undefined without such a heading */
function notesFor(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`[${version}] – `));
  const [heading = '', ...lines] = (section ?? '').split('\n');
  return / – \d{4}-\d{2}-\d{2}$/.test(heading) ? lines.join('\n').trim() : undefined;
}

/** @throws Error for packages that depend on each other */
function inOrder(manifests: readonly Manifest[]): string[] {
  const order: string[] = [];
  const visit = (manifest: Manifest, path: readonly string[]): void => {
    if (path.includes(manifest.name)) throw new Error(`${[...path, manifest.name].join(' → ')} depend on each other`);
    if (order.includes(manifest.name)) return;
    const needed = new Set(linksOf(manifest, manifests).map(([name]) => name));
    for (const other of manifests) if (needed.has(other.name)) visit(other, [...path, manifest.name]);
    order.push(manifest.name);
  };
  for (const manifest of manifests) visit(manifest, []);
  return order;
}

/** A manifest with another version, also of the packages of the repository that it depends on. */
export function withVersion<T extends Manifest>(manifest: T, all: readonly Manifest[], version: string): T {
  const linked = new Set(linksOf(manifest, all).map(([name]) => name));
  const updated = (ranges: Manifest['dependencies']): Manifest['dependencies'] =>
    ranges &&
    Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, linked.has(name) ? version : range]));
  return {
    ...manifest,
    version,
    ...(manifest.dependencies === undefined ? {} : { dependencies: updated(manifest.dependencies) }),
    ...(manifest.devDependencies === undefined ? {} : { devDependencies: updated(manifest.devDependencies) }),
  };
}
