/**
 * `npm test`: with arguments they go to Jest as they are. Without arguments the whole suite runs in groups of files. Jest gives each file
 * a module registry of its own, and loading the server takes longer than most files; the files of a group share one registry. Files that
 * replace something of the process or of a module run alone.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const jest = [join('node_modules', 'jest', 'bin', 'jest.js')];
const folder = '.test-groups';
const filesPerGroup = 6;
const replaces =
  /jest\.(mock|spyOn|useFakeTimers|resetModules)|process\.(chdir|env\[[^\]]+\] =)|delete process\.env|src\/(jxp|preload)/;

/** Groups of about equal size: files by size, dealt out forwards and then backwards. */
function groupsOf(files) {
  const alone = files.filter((file) => replaces.test(readFileSync(file, 'utf8')));
  const shared = files
    .filter((file) => !alone.includes(file))
    .sort((a, b) => statSync(b).size - statSync(a).size || (a < b ? -1 : 1));
  const count = Math.ceil(shared.length / filesPerGroup);
  const groups = Array.from({ length: count }, () => []);
  for (const [at, file] of shared.entries()) {
    const round = Math.floor(at / count);
    groups[round % 2 === 0 ? at % count : count - 1 - (at % count)].push(file);
  }
  return [...groups, ...alone.map((file) => [file])];
}

const suiteOf = (files) =>
  files
    .map((file) => {
      const name = relative('.', file).replaceAll('\\', '/');
      return `describe(${JSON.stringify(name)}, () => void require(${JSON.stringify(file)}));\n`;
    })
    .join('');

function writeGroups() {
  const files = JSON.parse(execFileSync(process.execPath, [...jest, '--listTests', '--json'], { encoding: 'utf8' }));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [at, group] of groupsOf(files).entries())
    writeFileSync(join(folder, `${String(at).padStart(3, '0')}.test.cjs`), suiteOf(group));
}

const given = process.argv.slice(2);
if (given.length === 0) writeGroups();
const args = given.length === 0 ? ['--testMatch', `<rootDir>/${folder}/*.test.cjs`] : given;
process.exitCode = spawnSync(process.execPath, [...jest, ...args], { stdio: 'inherit' }).status ?? 1;
