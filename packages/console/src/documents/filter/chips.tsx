/** The conditions of a filter as sentences, each of which can be changed and removed. */
import { Button, Group } from '@mantine/core';
import { labelOf } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { icons, iconSize } from '../../parts/icons.tsx';
import { select } from '../list-state.ts';
import { type Condition, conditionText, filterOf } from './conditions.ts';
import { useTitled } from './link-titles.ts';

interface ChipsParts {
  readonly model: OwnModel;
  /** The filter as JSON; empty for none. */
  readonly text: string;
  /** Undefined for a filter that has no form, which is one chip. */
  readonly conditions: readonly Condition[] | undefined;
  /** Opens the form of the filter. */
  readonly edit: () => void;
}

export function Chips({ model, text, conditions, edit }: ChipsParts) {
  const titled = useTitled(model, conditions ?? []);
  const clear = (): void => select({ filter: undefined });
  const without = (at: number): void => {
    const left = (conditions ?? []).filter((_, other) => other !== at);
    select({ filter: left.length === 0 ? undefined : JSON.stringify(filterOf(left, model.fields)) });
  };
  const chips =
    conditions === undefined
      ? [{ sentence: text, remove: clear }]
      : conditions.map((one, at) => ({
          sentence: conditionText(titled(one), labelOf(model, one.path), model.fields[one.path]),
          remove: () => without(at),
        }));
  if (chips.length === 0 || text === '') return null;
  return (
    <>
      <Group gap={6} role="list" aria-label="Conditions of the filter" className="conditions">
        {chips.map(({ sentence, remove }, at) => (
          <div key={at} role="listitem">
            <Button.Group>
              <Button variant="light" size="xs" maw={320} onClick={edit} title={sentence} className="sentence">
                {sentence}
              </Button>
              <Button variant="light" size="xs" px={8} onClick={remove} aria-label={`Remove: ${sentence}`}>
                <icons.remove size={iconSize} />
              </Button>
            </Button.Group>
          </div>
        ))}
      </Group>
      {chips.length > 1 ? (
        <Button variant="default" size="xs" onClick={clear}>
          Remove all
        </Button>
      ) : null}
    </>
  );
}
