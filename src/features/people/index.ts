/** What admins see of users besides their documents: when they were there last, and how they sign in. */
import type { Feature } from '../feature.ts';
import { userOperations } from './operations.ts';
import { userStates } from './states.ts';

export const people: Feature = { name: 'people', operations: [userOperations], services: [userStates] };
