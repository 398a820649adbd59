/** The requests of a model, as curl or as client code. */
import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { OwnModel } from '../api/models.ts';
import { Copied } from '../document/raw.tsx';
import { examplesOf } from './examples.ts';

const forms = ['curl', 'Client'] as const;

/** How the client begins. */
const beginning = (url: string): string => `import { createClient } from 'dossier-client';

const client = createClient({ url: ${JSON.stringify(url)} });
await client.login({ email, password });`;

/** @param url of the API */
export function Examples({ model, url }: { readonly model: OwnModel; readonly url: string }) {
  const [form, setForm] = useState<string>(forms[0]);
  const isCurl = form === forms[0];
  return (
    <Stack align="stretch">
      <SegmentedControl
        aria-label="Form of the examples"
        data={[...forms]}
        value={form}
        onChange={setForm}
        style={{ alignSelf: 'flex-start' }}
      />
      {isCurl ? null : <Copied label="Signing in" text={beginning(url)} />}
      {examplesOf(model, url).map(({ title, curl, code }) => (
        <Copied key={title} label={title} text={isCurl ? curl : code} />
      ))}
    </Stack>
  );
}
