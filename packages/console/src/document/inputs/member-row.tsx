/** A member of a list, with a handle that drags it, and buttons that move and remove it. */
import { ActionIcon, Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { icons, iconSize } from '../../parts/icons.tsx';
import { Grip } from './grip.tsx';
import { rowsOf } from './member-rows.ts';

interface RowParts {
  readonly members: readonly unknown[];
  readonly at: number;
  readonly set: (members: readonly unknown[]) => void;
  /** Turns to the page of a position. */
  readonly show: (at: number) => void;
  readonly name: string;
  readonly children: ReactNode;
}

/**
 * Gives the focus to a part of a member once it is shown, so that the next key is for the same member, or for the one in its place.
 * @param from an element of the list, which has `data-members`
 * @param at the position of the member
 * @param parts selectors below the row of the member; the first part that is usable receives the focus
 */
export function focusOn(from: Element, at: number, ...parts: readonly string[]): void {
  const list = from.closest('[data-members]');
  requestAnimationFrame(() => {
    const rows = list === null ? [] : rowsOf(list);
    // a member of another page is not there
    const row = rows.find(({ dataset }) => dataset['member'] === String(at)) ?? rows.at(-1);
    const found = parts.flatMap((part) => [...(row?.querySelectorAll<HTMLElement>(part) ?? [])]);
    const target = found.find((one) => !one.matches(':disabled'));
    (target ?? list?.querySelector<HTMLElement>(':scope [data-add]'))?.focus();
  });
}

const ofRow = (move: string): string => `:scope > [data-moves] > [data-move="${move}"]`;

export function MemberRow({ members, at, set, show, name, children }: RowParts) {
  const others = members.filter((_, other) => other !== at);
  const move = (to: number): void => {
    set([...others.slice(0, to), members[at], ...others.slice(to)]);
    show(to);
  };
  const moveUp = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    move(at - 1);
    focusOn(currentTarget, at - 1, ofRow('up'), ofRow('down'));
  };
  const moveDown = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    move(at + 1);
    focusOn(currentTarget, at + 1, ofRow('down'), ofRow('up'));
  };
  const remove = ({ currentTarget }: { readonly currentTarget: Element }): void => {
    set(others);
    focusOn(currentTarget, at, ofRow('remove'));
  };
  return (
    <Group gap={4} align="flex-end" data-member={at}>
      {/* where there is no room beside it, the buttons are below */}
      <Box flex="1 1 12rem" miw={0}>
        {children}
      </Box>
      <Group gap={4} wrap="nowrap" data-moves>
        {members.length > 1 ? <Grip move={(by) => move(at + by)} /> : null}
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Move ${name} up`}
          disabled={at === 0}
          data-move="up"
          onClick={moveUp}
        >
          <icons.up size={iconSize} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Move ${name} down`}
          disabled={at === members.length - 1}
          data-move="down"
          onClick={moveDown}
        >
          <icons.down size={iconSize} />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={`Remove ${name}`} data-move="remove" onClick={remove}>
          <icons.remove size={iconSize} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
