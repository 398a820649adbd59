/** The pages of a long list in a form, so that a list of a thousand members is as quick as one of fifty. */
import { Button, Group, Text } from '@mantine/core';
import type { Fault } from 'dossier-client';
import { type ReactNode, useState } from 'react';
import { numberText } from '../../parts/numbers.ts';
import { firstFault } from '../faults.ts';

/** Members of a page. Chips take less room than lines. */
const perPage = { lines: 50, chips: 100 } as const;

interface ListParts<Member> {
  readonly label: string;
  readonly members: readonly Member[];
  readonly kind: keyof typeof perPage;
  readonly faults: readonly Fault[];
  /** The path of the list, with its positions in outer lists. */
  readonly place: string;
}

export interface MemberPages<Member> {
  /** The members of the page, with their positions in the list. */
  readonly shown: readonly (readonly [member: Member, at: number])[];
  /** Turns to the page of a position, also of the one that is added next. */
  readonly show: (at: number) => void;
  /** The buttons that turn the pages; nothing for a list of one page. */
  readonly turn: ReactNode;
}

/** After a refusal the page of the first member with a fault is shown. */
export function useMemberPages<Member>({
  label,
  members,
  kind,
  faults,
  place,
}: ListParts<Member>): MemberPages<Member> {
  const size = perPage[kind];
  const startOf = (at: number): number => Math.floor(Math.max(0, at) / size) * size;
  const [start, setStart] = useState(0);
  const [at, fault] = firstFault(faults, place, members.length);
  const [known, setKnown] = useState(fault);
  // before the form gives the focus to the fault; those of each refusal are other objects
  if (fault !== known) {
    setKnown(fault);
    if (fault !== undefined) setStart(startOf(at));
  }
  const from = Math.min(startOf(start), startOf(members.length - 1));
  const shown = members.slice(from, from + size).map((member, offset) => [member, from + offset] as const);
  const { length } = members;
  return {
    shown,
    show: setStart,
    turn: length <= size ? null : <Turn {...{ label, from, size, length }} show={setStart} />,
  };
}

interface TurnParts {
  readonly label: string;
  readonly from: number;
  readonly size: number;
  readonly length: number;
  readonly show: (at: number) => void;
}

function Turn({ label, from, size, length, show }: TurnParts) {
  const last = Math.floor((length - 1) / size) * size;
  const to = (name: string, start: number, isUsable: boolean) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`${name} of ${label}`}
      disabled={!isUsable}
      onClick={({ currentTarget }) => {
        show(start);
        keepFocus(currentTarget);
      }}
    >
      {name}
    </Button>
  );
  return (
    <Group gap="xs" role="group" aria-label={`Pages of ${label}`}>
      <Text size="sm" role="status">
        {numberText(from + 1)} to {numberText(Math.min(from + size, length))} of {numberText(length)}
      </Text>
      {to('First', 0, from > 0)}
      {to('Previous', from - size, from > 0)}
      {to('Next', from + size, from < last)}
      {to('Last', last, from < last)}
    </Group>
  );
}

/** A button that cannot be used on the page it leads to leaves the focus to one that can. */
function keepFocus(button: HTMLButtonElement): void {
  const others = button.parentElement;
  requestAnimationFrame(() => {
    if (button.disabled) others?.querySelector<HTMLElement>('button:enabled')?.focus();
  });
}
