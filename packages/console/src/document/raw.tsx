/** A document as JSON, and the requests that read and change it. */
import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { apiUrl } from '../api/client.ts';
import type { Document } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { pathTo } from '../api/writes.ts';

export function Raw({ model, document }: { readonly model: OwnModel; readonly document: Document }) {
  const url = apiUrl + pathTo(model.name, document._id);
  const curl = `curl -H "authorization: Bearer $TOKEN" '${url}'`;
  const code = `import { createClient } from 'dossier-client';

const client = createClient({ url: ${JSON.stringify(apiUrl)} });
await client.login({ email, password });
const document = await client.model(${JSON.stringify(model.name)}).one(${JSON.stringify(document._id)});`;
  return (
    <Stack>
      <Copied label="The document" text={JSON.stringify(document, null, 2)} />
      <Copied label="As curl" text={curl} />
      <Copied label="As client code" text={code} />
    </Stack>
  );
}

export const Copied = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <Group justify="space-between" mb={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy} aria-label={`Copy: ${label}`}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
    <pre className="code" tabIndex={0} aria-label={label} role="region">
      {text}
    </pre>
  </div>
);
