/** The events of models as they happen. */
import { Anchor, Badge, Button, Group, MultiSelect, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { type Document, titleOf } from '../api/fields.ts';
import { isReadable, useModels } from '../api/models.ts';
import { eventWords, useModelNames, useNames } from '../api/names.ts';
import { useChoiceList } from '../parts/choice-list.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { showFailure } from '../parts/run.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Empty } from '../parts/states.tsx';
import { change, documentPath, hrefOf, usePlace } from '../route.ts';

interface Event {
  readonly at: string;
  readonly model: string;
  readonly event: string;
  /** The document as it was then; of a deletion, with its id alone. */
  readonly item: Document;
  readonly user: string | null;
}

/** Events that are kept in view. */
const maxEvents = 500;

/** The latest events of models, the newest first. */
function useEvents(models: readonly string[]): readonly [readonly Event[], () => void] {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const watched = models.join();
  useEffect(() => {
    const watches = watched
      .split(',')
      .filter(Boolean)
      .map((model) => {
        const watch = client.model(model).watch();
        watch.addEventListener('change', ({ detail: { event, item, user_id: user } }) => {
          const next = { at: new Date().toLocaleTimeString(), model, event, item: { ...item }, user };
          setEvents((before) => [next, ...before].slice(0, maxEvents));
        });
        watch.addEventListener('error', ({ detail }) => showFailure(detail));
        return watch;
      });
    return () => watches.forEach((watch) => watch.close());
  }, [watched]);
  return [events, () => setEvents([])];
}

export default function Live() {
  const models = useModels().data;
  const readable = [...(models?.values() ?? [])].filter(isReadable).map(({ name }) => name);
  const { ofModel } = useModelNames();
  const { query } = usePlace();
  const named = query.get('models')?.split(',') ?? readable;
  const chosen = named.filter((name) => readable.includes(name));
  const kind = query.get('event') ?? '';
  const [events, clear] = useEvents(chosen);
  const shown = events.filter(({ event, model }) => (kind === '' || event === kind) && chosen.includes(model));
  const userName = useNames(shown.map(({ user }) => user));
  return (
    <>
      <PageTitle>Live events</PageTitle>
      <Group mb="md" align="flex-end">
        <MultiSelect
          label="Models"
          data={readable.map((name) => ({ value: name, label: ofModel(name) }))}
          value={chosen}
          onChange={(models) => change({ models: models.join(',') })}
          maw={480}
          {...useChoiceList()}
        />
        <NativeSelect
          label="Event"
          value={kind}
          onChange={({ currentTarget }) => change({ event: currentTarget.value || undefined })}
          data={[
            { value: '', label: 'all' },
            ...Object.entries(eventWords).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Button variant="default" onClick={clear}>
          Clear
        </Button>
      </Group>
      {shown.length === 0 ? (
        <Empty>Nothing has happened since you opened this view. Changes of documents appear here by themselves.</Empty>
      ) : (
        <SimpleTable
          label="Events"
          heads={['Time', 'Event', 'Model', 'Document', 'By']}
          rows={shown.map(({ at, model, event, item, user }) => [
            at,
            <Badge key="event" variant="default">
              {eventWords[event] ?? event}
            </Badge>,
            ofModel(model),
            <Anchor key="id" size="sm" href={hrefOf(documentPath(model, item._id))}>
              <bdi>{titleOf(item, models?.get(model))}</bdi>
            </Anchor>,
            user === null ? '–' : userName(user),
          ])}
        />
      )}
    </>
  );
}
