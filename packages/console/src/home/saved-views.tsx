/** The saved views of the home page: own ones, and those that others share. */
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel } from '../api/models.ts';
import { isFigure, useSavedViews, viewHref } from '../api/saved-views.ts';
import { useSome } from '../parts/some-of.tsx';

export function SavedViews({ models }: { readonly models: ReadonlyMap<string, OwnModel> }) {
  const views = (useSavedViews().data ?? []).filter((view) => !isFigure(view) && isReadable(models.get(view.model)));
  const [shown, more] = useSome(views);
  if (views.length === 0) return null;
  return (
    <section aria-label="Views">
      <Title order={2} size="h4" mb="xs">
        Views
      </Title>
      <Paper withBorder p="sm" mb="lg">
        <Stack gap={4}>
          {shown.map((view) => (
            <Group key={view.id} gap="xs" wrap="nowrap" justify="space-between">
              <Anchor href={viewHref(view)} size="sm" className="anywhere" dir="auto" lineClamp={1}>
                {view.title}
              </Anchor>
              <Text size="sm" c="dimmed" className="anywhere">
                {labelOfModel(models.get(view.model) ?? { name: view.model })}
                {view.own ? '' : ', shared'}
              </Text>
            </Group>
          ))}
          {more}
        </Stack>
      </Paper>
    </section>
  );
}
