/** The last lines of the log, or those of one request. */
import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pathOf, send } from '../../api/client.ts';
import { logHref } from '../../parts/log-href.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { change, usePlace } from '../../route.ts';
import { Time } from '../background/parts.tsx';

/** A line of the log. `id` or `request_id` is that of the request that it is about. */
type Line = Readonly<Record<string, unknown>>;

const maxLines = 100;

export function LogLines() {
  const request = usePlace().query.get('request_id') ?? undefined;
  const lines = useQuery({
    queryKey: ['data', '/server/log', request],
    queryFn: async () => {
      const path = pathOf('/server/log', { request_id: request, limit: maxLines });
      return (await send<{ data: readonly Line[] }>('GET', path)).data;
    },
  });
  return (
    <Stack>
      <Find request={request} again={() => void lines.refetch()} />
      <Loaded of={lines}>{(known) => <Lines lines={known} request={request} />}</Loaded>
    </Stack>
  );
}

interface FindParts {
  readonly request: string | undefined;
  readonly again: () => void;
}

/** Chooses a request in the address of the view. */
function Find({ request, again }: FindParts) {
  const [typed, setTyped] = useState(request ?? '');
  const [shown, setShown] = useState(request);
  // a link in the table, or the buttons of the browser, have changed the address; the field keeps the focus
  if (shown !== request) {
    setShown(request);
    setTyped(request ?? '');
  }
  const wanted = typed.trim();
  const find = (): void => (wanted === (request ?? '') ? again() : change({ request_id: wanted }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Group align="flex-end">
        <TextInput
          label="Request id"
          description="Each answer has it in the header X-Request-Id. Empty for the last lines of all."
          value={typed}
          maxLength={64}
          spellCheck={false}
          data-key="search"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

interface LinesParts {
  readonly lines: readonly Line[];
  readonly request: string | undefined;
}

/** Those of a request in their order; of all, the newest first. */
function Lines({ lines, request }: LinesParts) {
  if (lines.length === 0)
    return (
      <Empty>
        {request === undefined
          ? 'No lines.'
          : 'The log has no line of this request. The server keeps the last lines since its start, of the level LOG_LEVEL; older ones are where its output is collected.'}
      </Empty>
    );
  return (
    <SimpleTable
      label="Log"
      heads={['Time', 'Level', 'Message', 'Details', ...(request === undefined ? ['Request'] : [])]}
      rows={(request === undefined ? lines.toReversed() : lines).map((line) => [
        <Time key="time" at={String(line['time'])} />,
        String(line['level']),
        String(line['msg'] ?? ''),
        <code key="details" className="anywhere">
          {detailsOf(line)}
        </code>,
        ...(request === undefined ? [<Request key="request" line={line} />] : []),
      ])}
    />
  );
}

function Request({ line: { id, request_id = id } }: { readonly line: Line }) {
  if (typeof request_id !== 'string') return <>–</>;
  return (
    <Anchor size="sm" href={logHref(request_id)}>
      {request_id}
    </Anchor>
  );
}

const shownApart: ReadonlySet<string> = new Set(['time', 'level', 'msg', 'id', 'request_id']);

/** What else a line has, a name and its value each; texts of several lines, such as stacks, as they are. */
const detailsOf = (line: Line): string =>
  Object.entries(line)
    .filter(([name]) => !shownApart.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : unescaped(JSON.stringify(value))}`)
    .join(' ');

const unescaped = (json: string): string => json.replaceAll('\\n', '\n');
