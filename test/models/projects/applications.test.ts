/**
 * Applications on disk as they are public from 2014 to 2026, with plug-ins of npm: each folder of models starts without an edit, with the
 * warnings of its files, and each step is compared with Mongoose (docs/models.md).
 */
import { compareAll } from './comparison.ts';
import { health } from './health.ts';
import { journeys } from './journeys.ts';
import { networks } from './networks.ts';
import { schools } from './schools.ts';
import { trade } from './trade.ts';

compareAll([...schools, ...trade, ...health, ...journeys, ...networks]);
