/** An input for a list of plain values, in their order: as chips, or in lines, which can be moved. */
import { Anchor, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Field, isReadable, type OwnModel, useModel } from '../../api/models.ts';
import { faultsBelow, faultText, otherFaults } from '../faults.ts';
import { ChipsInput, isChips, mayRepeat } from './chips-input.tsx';
import type { InputParts } from './input-parts.ts';
import { areLinks, LinksInput } from './links-input.tsx';
import { useMemberPages } from './member-pages.tsx';
import { focusOn, MemberRow } from './member-row.tsx';
import { SingleInput } from './single-input.tsx';

export function ListInput(parts: InputParts) {
  const { value, field } = parts;
  const members: readonly unknown[] = Array.isArray(value) ? value : [];
  const [hasLines, setLines] = useState(false);
  const linked = useModel(field.link ?? '');
  const canBeChips = isChips(field, members) || (isReadable(linked) && areLinks(members));
  if (!canBeChips || hasLines)
    return <Lines {...parts} members={members} chips={canBeChips ? () => setLines(false) : undefined} />;
  return <Chips {...parts} {...{ members, linked }} lines={() => setLines(true)} />;
}

interface ChipsParts extends InputParts {
  readonly members: readonly unknown[];
  readonly linked: OwnModel | undefined;
  /** Shows the list as lines. */
  readonly lines: () => void;
}

function Chips({ members, linked, lines, ...parts }: ChipsParts) {
  const { path, place = path, label, set, faults = [], field, disabled } = parts;
  const pages = useMemberPages({ label, members, kind: 'chips', faults, place });
  const page = pages.shown.map(([member]) => member);
  const setPage = (next: readonly unknown[]): void => {
    const [added] = next.slice(page.length);
    const at = added === undefined || mayRepeat(field) ? -1 : members.indexOf(added);
    // what is on another page already is shown there; what is new is the last one of the list
    if (added !== undefined) pages.show(at < 0 ? members.length : at);
    if (at >= 0) return;
    const start = pages.shown[0]?.[1] ?? 0;
    const [before, after] = [members.slice(0, start), members.slice(start + page.length)];
    set([...before, ...next.slice(0, page.length), ...after, ...next.slice(page.length)]);
  };
  return (
    <>
      {isReadable(linked) && areLinks(page) ? (
        <LinksInput {...parts} {...{ linked }} members={page} set={setPage} />
      ) : (
        <ChipsInput {...parts} members={page as readonly string[]} set={setPage} />
      )}
      {pages.turn}
      {members.length > 1 && disabled !== true ? (
        <Anchor component="button" type="button" size="xs" onClick={lines}>
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
  const pages = useMemberPages({ label, members, kind: 'lines', faults, place });
  return (
    <Fieldset legend={label} disabled={parts.disabled === true} data-members>
      <Stack gap="xs">
        <Described text={field.description} />
        {pages.shown.map(([member, at]) => (
          <MemberRow key={at} {...{ members, at, set }} show={pages.show} name={`${label} ${at + 1}`}>
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
        {pages.turn}
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            data-add
            onClick={({ currentTarget }) => {
              pages.show(members.length);
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
