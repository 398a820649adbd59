// Builds before `npm start` when a source file is newer than the last build. A tree without sources has nothing to build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

const mark = 'dist/.tsbuildinfo';
const stale = existsSync('src') && (!existsSync(mark) || newest('src') > statSync(mark).mtimeMs);
if (stale) {
  process.exitCode = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: true }).status ?? 1;
  // a source that was touched but not changed leaves the mark as old as it was
  if (process.exitCode === 0) utimesSync(mark, new Date(), new Date());
}
