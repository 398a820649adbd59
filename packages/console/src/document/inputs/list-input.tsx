/** An input for a list of plain values, in their order: as chips, or in lines, which can be moved. */
import { Anchor, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Field, isReadable, useModel } from '../../api/models.ts';
import { faultsBelow, faultText, otherFaults } from '../faults.ts';
import { ChipsInput, isChips } from './chips-input.tsx';
import type { InputParts } from './input-parts.ts';
import { areLinks, LinksInput } from './links-input.tsx';
import { focusOn, MemberRow } from './member-row.tsx';
import { SingleInput } from './single-input.tsx';

export function ListInput(parts: InputParts) {
  const { label, value, disabled, field } = parts;
  const members: readonly unknown[] = Array.isArray(value) ? value : [];
  const [hasLines, setLines] = useState(false);
  const linked = useModel(field.link ?? '');
  const isLinks = isReadable(linked) && areLinks(members);
  const canBeChips = isChips(field, members) || isLinks;
  if (!canBeChips || hasLines)
    return <Lines {...parts} members={members} chips={canBeChips ? () => setLines(false) : undefined} />;
  return (
    <>
      {isLinks ? (
        <LinksInput {...parts} {...{ linked, members }} />
      ) : (
        <ChipsInput {...parts} members={members as readonly string[]} />
      )}
      {members.length > 1 && disabled !== true ? (
        <Anchor component="button" type="button" size="xs" onClick={() => setLines(true)}>
          Change the order of {label}
        </Anchor>
      ) : null}
    </>
  );
}

interface LinesParts extends InputParts {
  readonly members: readonly unknown[];
  /** Shows the list as chips; undefined where that cannot be. */
  readonly chips: (() => void) | undefined;
}

function Lines({ members, chips, ...parts }: LinesParts) {
  const { path, place = path, label, set, faults = [], field } = parts;
  const places = members.map((_, at) => `${place}.${at}`);
  return (
    <Fieldset legend={label} disabled={parts.disabled === true} data-members>
      <Stack gap="xs">
        <Described text={field.description} />
        {members.map((member, at) => (
          <MemberRow key={at} {...{ members, at, set }} name={`${label} ${at + 1}`}>
            <SingleInput
              {...parts}
              label={`${label} ${at + 1}`}
              field={withoutDescription({ ...field, array: false, required: false })}
              fault={faultText(undefined, faultsBelow(faults, places[at] ?? ''), `${label} ${at + 1}`)}
              value={member}
              set={(next) => set(members.with(at, next))}
            />
          </MemberRow>
        ))}
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            data-add
            onClick={({ currentTarget }) => {
              set([...members, null]);
              focusOn(currentTarget, members.length, 'input, select, textarea');
            }}
          >
            Add to {label}
          </Button>
          {chips === undefined ? null : (
            <Anchor component="button" type="button" size="xs" onClick={chips}>
              Done
            </Anchor>
          )}
        </Group>
        <FaultText text={faultText(undefined, otherFaults(faults, places), label)} />
      </Stack>
    </Fieldset>
  );
}

/** A list shows its description once. */
function withoutDescription({ description: _, ...field }: Field): Field {
  return field;
}

export const Described = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text size="xs" c="dimmed" className="anywhere">
      {text}
    </Text>
  );

export const FaultText = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" data-fault>
      {text}
    </Text>
  );
