/** The list of results, by groups. The focus stays in the box; the current one is marked. */
import { Box, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { iconOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { ModelIcon } from '../parts/icons.tsx';
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
            <Labelled model={options.find((one) => one.group === group)?.groupModel}>{group}</Labelled>
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

function Row({ id, option: { label, model, detail, href }, isCurrent, close }: RowParts) {
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
        <Labelled model={model}>{label}</Labelled>
      </Text>
      {detail === undefined ? null : (
        <Text size="xs" dir="auto" component="div">
          {detail}
        </Text>
      )}
    </a>
  );
}

/** A text behind the icon of its model, if it has one. */
const Labelled = ({ model, children }: { readonly model: OwnModel | undefined; readonly children: string }) =>
  model === undefined ? (
    children
  ) : (
    <Group component="span" gap={6} wrap="nowrap">
      <ModelIcon name={model.name} icon={model.icon} short={iconOf(model)} />
      <span>{children}</span>
    </Group>
  );
