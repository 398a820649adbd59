/** An input for a date: for a day, which is the same one in every time zone, or for a time of this one. */
import { Anchor, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { dateOf, dateText, dayOf, isDay, localOf, timeZone } from './dates.ts';

interface DateParts extends Omit<TextInputProps, 'description' | 'onChange' | 'value'> {
  /** Names what the date is of, for those who do not see the input. */
  readonly of: string;
  readonly value: unknown;
  readonly set: (value: string | null) => void;
  /** @param hint the time zone in which a time is typed */
  readonly describe?: (hint: string | undefined) => string | undefined;
}

export function DateInput({ of, value, set, describe, ...parts }: DateParts) {
  const given = typeof value === 'string' && value !== '' ? value : null;
  /** Where the value comes from here, it does not decide: the midnight that is typed may be that of UTC. */
  const [own, setOwn] = useState<{ readonly value: string | null; readonly isForDay: boolean }>();
  const isForDay = own?.value === given ? own.isForDay : given !== null && isDay(given);
  const enter = (next: string | null, kind = isForDay): void => {
    setOwn({ value: next, isForDay: kind });
    set(next);
  };
  const [local = ''] = localOf(given).split('T');
  return (
    <Stack gap={2} align="flex-start">
      <TextInput
        key={String(isForDay)}
        {...parts}
        w="100%"
        type={isForDay ? 'date' : 'datetime-local'}
        step={isForDay ? undefined : 'any'}
        description={describe?.(isForDay ? undefined : `In ${timeZone()}`)}
        value={isForDay ? dayOf(given) : localOf(given)}
        wrapperProps={{ 'data-printed': given === null ? '–' : dateText(given) }}
        onChange={({ currentTarget: { value: typed } }) => enter(isForDay ? dateOf(`${typed}T00:00Z`) : dateOf(typed))}
      />
      {parts.disabled === true ? null : (
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-label={`${isForDay ? 'With a time' : 'Without a time'}: ${of}`}
          onClick={() => enter(dateOf(isForDay ? `${dayOf(given)}T00:00` : `${local}T00:00Z`), !isForDay)}
        >
          {isForDay ? 'With a time' : 'Without a time'}
        </Anchor>
      )}
    </Stack>
  );
}
