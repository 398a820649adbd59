/** The documents that the caller has opened last, by their titles of now. */
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { type Document, titleField, titleOf } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel, useMe } from '../api/models.ts';
import { documentPath, hrefOf } from '../route.ts';
import { recentOf } from './recent.ts';
import type { Recent } from './recent-list.ts';

type Models = ReadonlyMap<string, OwnModel>;

interface Found {
  readonly model: OwnModel;
  readonly document: Document;
}

export function RecentDocuments({ models }: { readonly models: Models }) {
  const user = useMe().data?.user._id;
  const recent = user === undefined ? [] : recentOf(user);
  const { data: found = [] } = useQuery({
    queryKey: ['recent', recent],
    enabled: recent.length > 0,
    queryFn: ({ signal }) => readFound(recent, models, signal),
  });
  if (found.length === 0) return null;
  return (
    <section aria-label="Recent documents">
      <Title order={2} size="h4" mb="xs">
        Recent documents
      </Title>
      <Paper withBorder p="sm" mb="lg">
        <Stack gap={4}>
          {found.map(({ model, document }) => (
            <Group key={`${model.name} ${document._id}`} gap="xs" wrap="nowrap" justify="space-between">
              <Anchor
                href={hrefOf(documentPath(model.name, document._id))}
                size="sm"
                className="anywhere"
                dir="auto"
                lineClamp={1}
              >
                {titleOf(document, model)}
              </Anchor>
              <Text size="sm" c="dimmed" className="anywhere">
                {labelOfModel(model)}
              </Text>
            </Group>
          ))}
        </Stack>
      </Paper>
    </section>
  );
}

/** Reads those that the caller may read now, by one request for each model. */
async function readFound(recent: readonly Recent[], models: Models, signal: AbortSignal): Promise<readonly Found[]> {
  const names = [...new Set(recent.map(({ model }) => model))].filter((name) => isReadable(models.get(name)));
  const pages = await Promise.all(
    names.map(async (name) => {
      const model = models.get(name);
      const title = model === undefined ? undefined : titleField(model);
      const ids = recent.filter((one) => one.model === name).map(({ id }) => id);
      const options = { fields: title === undefined ? ['_id'] : [title], limit: ids.length, signal };
      return client
        .model(name)
        .list({ filter: { _id: { $in: ids } }, ...options })
        .then(({ data }) => data)
        .catch(() => []);
    }),
  );
  return recent.flatMap(({ model: name, id }) => {
    const model = models.get(name);
    const document = pages[names.indexOf(name)]?.find(({ _id }) => _id === id);
    return model === undefined || document === undefined ? [] : [{ model, document }];
  });
}
