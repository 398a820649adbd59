/** What the views of webhooks, schedules and jobs share. */
import { Button, NativeSelect, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { dateText, exactText, relativeText } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { change } from '../../route.ts';

interface ActParts {
  readonly label: string;
  /** Names the thing for those who do not see the row. */
  readonly of: string;
  readonly act: () => Promise<unknown>;
  /** What is shown when it has succeeded. */
  readonly done?: string;
}

/** A small button that changes something, after which everything that is shown is read again. */
export function Act({ label, of, act, done }: ActParts) {
  const queries = useQueryClient();
  const start = (): void =>
    run(async () => {
      await act();
      await queries.invalidateQueries({ queryKey: ['data'] });
    }, done);
  return (
    <Button size="compact-xs" variant="default" aria-label={`${label}: ${of}`} onClick={start}>
      {label}
    </Button>
  );
}

/** A time relative to now, with the exact one on hover and focus; a dash for none. */
export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at === null || at === undefined ? (
    <>–</>
  ) : (
    <Tooltip label={exactText(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} tabIndex={0} data-printed={dateText(at)}>
        {relativeText(at)}
      </time>
    </Tooltip>
  );

/** Leads from a status that nothing has to all. */
export const ShowAll = () => (
  <Button
    size="xs"
    variant="default"
    onClick={() => change({ status: undefined, after: undefined, before: undefined })}
  >
    Show all
  </Button>
);

interface StatusParts {
  readonly values: readonly string[];
  readonly value: string | undefined;
}

/** Chooses a status in the address of the view. */
export const StatusFilter = ({ values, value }: StatusParts) => (
  <NativeSelect
    label="Status"
    data={[{ value: '', label: 'all' }, ...values]}
    value={value ?? ''}
    onChange={({ currentTarget }) =>
      change({ status: currentTarget.value || undefined, after: undefined, before: undefined })
    }
  />
);
