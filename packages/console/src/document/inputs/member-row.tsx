/** A member of a list, with buttons to move and remove it. */
import { ActionIcon, Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { icons, iconSize } from '../../parts/icons.tsx';

interface RowParts {
  readonly members: readonly unknown[];
  readonly at: number;
  readonly set: (members: readonly unknown[]) => void;
  readonly name: string;
  readonly children: ReactNode;
}

export function MemberRow({ members, at, set, name, children }: RowParts) {
  const others = members.filter((_, other) => other !== at);
  const move = (to: number): void => set([...others.slice(0, to), members[at], ...others.slice(to)]);
  return (
    <Group gap={4} align="flex-end">
      {/* where there is no room beside it, the buttons are below */}
      <Box flex="1 1 12rem" miw={0}>
        {children}
      </Box>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Move ${name} up`}
          disabled={at === 0}
          onClick={() => move(at - 1)}
        >
          <icons.up size={iconSize} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`Move ${name} down`}
          disabled={at === members.length - 1}
          onClick={() => move(at + 1)}
        >
          <icons.down size={iconSize} />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={`Remove ${name}`} onClick={() => set(others)}>
          <icons.remove size={iconSize} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
