/** The list of results, by groups. The focus stays in the box; the current one is marked. */
import { Box, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Option } from './options.ts';

interface ResultsParts {
  /** The id of the list. */
  readonly list: string;
  readonly options: readonly Option[];
  /** The place of the current one. */
  readonly at: number;
  readonly close: () => void;
}

export function Results({ list, options, at, close }: ResultsParts) {
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <Box id={list} role="listbox" aria-label="Results" mah="60vh" style={{ overflow: 'auto' }}>
      {groups.map((group, place) => (
        <Box key={group} role="group" aria-labelledby={`${list}-group-${place}`}>
          <Text id={`${list}-group-${place}`} size="xs" fw={700} c="dimmed" pt="xs" role="presentation">
            {group}
          </Text>
          {options.map((option, index) =>
            option.group === group ? (
              <Row key={option.href} id={`${list}-${index}`} option={option} isCurrent={index === at} close={close} />
            ) : null,
          )}
        </Box>
      ))}
    </Box>
  );
}

interface RowParts {
  readonly id: string;
  readonly option: Option;
  readonly isCurrent: boolean;
  readonly close: () => void;
}

function Row({ id, option: { label, detail, href }, isCurrent, close }: RowParts) {
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <a
      ref={shown}
      id={id}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      href={href}
      onClick={close}
      className="result anywhere"
    >
      <Text size="sm" dir="auto" component="div">
        {label}
      </Text>
      {detail === undefined ? null : (
        <Text size="xs" dir="auto" component="div">
          {detail}
        </Text>
      )}
    </a>
  );
}
