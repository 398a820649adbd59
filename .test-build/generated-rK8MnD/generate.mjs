
import { writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';

const people = process.argv.slice(2);
for (const person of people) {
  const types = await openapiTypes(new URL(person + '.json', import.meta.url));
  await writeFile('types-' + person + '.ts', astToString(types));
}
await createClient(
  people.map((person) => ({ input: person + '.json', output: 'client-' + person, logs: { file: false } })),
);
