/** What `npm run test:node` is asked to do. */

const usage = `npm run test:node -- <version>... [--optional] [-- <arguments of Jest>]

Runs the suite, or the files that the arguments of Jest name, on other versions of Node.

  <version>   a line of versions, such as 24, or one version, such as 24.22.3
  --optional  leaves out a version that npm does not have for this platform, or that cannot be fetched
`;

export interface NodeTests {
  readonly versions: readonly string[];
  /** Whether a version whose program cannot be fetched is left out, rather than counted as failed. */
  readonly optional: boolean;
  readonly jestArguments: readonly string[];
}

/** @throws Error that says what is wrong with the arguments, and how to give them */
export function readArguments(args: readonly string[]): NodeTests {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end);
  const versions = own.filter((one) => one !== '--optional');
  const wrong = versions.find((one) => !/^\d+(\.\d+){0,2}$/.test(one));
  if (wrong !== undefined)
    throw new Error(`a version of Node is a number such as 24 or 24.22.3, got "${wrong}"\n\n${usage}`);
  if (versions.length === 0) throw new Error(`name at least one version of Node\n\n${usage}`);
  return { versions, optional: own.includes('--optional'), jestArguments: args.slice(end + 1) };
}

/**
 * The package of npm that has the program of Node for a platform, in `bin`. Its versions are those of Node.
 * @param platform as `process.platform`
 * @param arch as `process.arch`
 */
export const packageOf = (platform: string, arch: string): string =>
  `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
