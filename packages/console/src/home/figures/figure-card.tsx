/** One figure of the home page: its number or its chart, or why there is none. */
import { ActionIcon, Anchor, Group, Paper, Text, Title } from '@mantine/core';
import type { OwnModel } from '../../api/models.ts';
import { type Figure, type SavedView, viewHref } from '../../api/saved-views.ts';
import { FailureText } from '../../parts/failure-text.tsx';
import { icons, iconSize } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Waiting } from '../../parts/states.tsx';
import { Periods, Values } from './chart.tsx';
import { figureText, useFigure, useTitles } from './figure.ts';
import { numberOf, periodsOf, periodText, valueText } from './points.ts';

interface CardParts {
  readonly view: SavedView;
  readonly figure: Figure;
  /** Undefined where the caller may not read it. */
  readonly model: OwnModel | undefined;
  /** Undefined for the first one and the last one. */
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
  /** Undefined where the caller may not change it. */
  readonly edit: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
}

export function FigureCard({ view, figure, model, up, down, edit, remove }: CardParts) {
  const { title, own, shared } = view;
  const button = (name: string, icon: 'up' | 'down' | 'edit' | 'remove', act: (() => void) | undefined) => {
    const Icon = icons[icon];
    return act === undefined ? null : (
      <ActionIcon variant="subtle" color="gray" c="inherit" size="sm" aria-label={name} onClick={act}>
        <Icon size={iconSize} />
      </ActionIcon>
    );
  };
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Title order={3} size="h5" className="anywhere" dir="auto">
          {model === undefined ? title : <Anchor href={viewHref(view)}>{title}</Anchor>}
        </Title>
        <Group gap={0} wrap="nowrap">
          {button(`Move “${title}” up`, 'up', up)}
          {button(`Move “${title}” down`, 'down', down)}
          {button(`Change “${title}”`, 'edit', edit)}
          {button(`Remove “${title}”`, 'remove', remove)}
        </Group>
      </Group>
      {model === undefined ? (
        <Text size="sm">You may no longer read what this figure is made of.</Text>
      ) : (
        <Numbers view={view} figure={figure} model={model} />
      )}
      {shared ? (
        <Text size="xs" c="dimmed">
          {own ? 'Shared with others' : 'Shared by another user'}
        </Text>
      ) : null}
    </Paper>
  );
}

type NumbersParts = Required<Pick<CardParts, 'view' | 'figure'>> & { readonly model: OwnModel };

function Numbers({ view, figure, model }: NumbersParts) {
  const { by, unit, zone } = figure;
  const { data: rows, error } = useFigure(view, figure);
  const link = by === null ? undefined : model.fields[by]?.link;
  const ids = link === undefined ? [] : (rows ?? []).map(({ key }) => key).filter((key) => key != null);
  const titles = useTitles(link, ids);
  const text = figureText(model, figure);
  if (error !== null)
    return (
      <Text size="sm" component="div" role="alert">
        <FailureText error={error} />
      </Text>
    );
  if (rows === undefined) return <Waiting />;
  return (
    <>
      <Text size="sm" c="dimmed" className="anywhere">
        {text}
        {view.filter === null ? '' : ', filtered'}
        {zone === null ? '' : ` (${zone})`}
      </Text>
      {by === null ? (
        <Text size="xl" fw={700}>
          {numberText(rows[0] === undefined ? 0 : numberOf(rows[0]))}
        </Text>
      ) : rows.length === 0 ? (
        <Text size="sm">There are no documents.</Text>
      ) : unit === null ? (
        <Values
          title={text}
          points={rows.map((row) => ({ label: titles.get(row.key) ?? valueText(row.key), value: numberOf(row) }))}
        />
      ) : (
        <Periods
          title={text}
          points={periodsOf(rows, unit).map(({ key, value }) => ({ label: periodText(key, unit), value }))}
        />
      )}
    </>
  );
}
