/**
 * Folders of model files as applications of Mongoose have them, started as they are. Each request is compared with what Mongoose itself
 * does on a database beside it: what is stored, what is refused, what is found and populated (docs/models.md).
 */
import { expect, test } from '@jest/globals';
import { communities } from './communities.ts';
import { compareAll } from './comparison.ts';
import { courses } from './courses.ts';
import { offices } from './offices.ts';
import type { Project } from './project.ts';
import { shops } from './shops.ts';

const projects: readonly Project[] = [...courses, ...shops, ...communities, ...offices];

test('there are twenty', () => {
  expect(projects.length).toBeGreaterThanOrEqual(20);
});

compareAll(projects);
