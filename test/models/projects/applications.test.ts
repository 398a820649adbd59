/**
 * Applications on disk as they are public from 2014 to 2026, with plug-ins of npm: each folder of models starts without an edit, with the
 * warnings of its files, and each step is compared with Mongoose (docs/models.md).
 */
import { expect, test } from '@jest/globals';
import { compareAll } from './comparison.ts';
import { health } from './health.ts';
import { journeys } from './journeys.ts';
import { networks } from './networks.ts';
import type { Project } from './project.ts';
import { schools } from './schools.ts';
import { trade } from './trade.ts';

const projects: readonly Project[] = [...schools, ...trade, ...health, ...journeys, ...networks];

test('there are twenty', () => {
  expect(new Set(projects.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

compareAll(projects);
