/** An input for the value of a field, by its type: the members of a list of documents, at any depth, JSON for free-form values, or plain values. */
import { Button, Fieldset, Stack } from '@mantine/core';
import type { Fault } from 'dossier-client';
import { isRow, isSecret, type Row } from '../../api/fields.ts';
import { shortLabel } from '../../api/labels.ts';
import type { Field, OwnModel } from '../../api/models.ts';
import { partsOf } from '../../api/places.ts';
import { faultsBelow, faultText, otherFaults } from '../faults.ts';
import type { InputParts } from './input-parts.ts';
import { JsonInput } from './json-input.tsx';
import { Described, FaultText, ListInput } from './list-input.tsx';
import { useMemberPages } from './member-pages.tsx';
import { focusOn, MemberRow } from './member-row.tsx';
import { SingleInput } from './single-input.tsx';

/** Values are those of documents: undefined and null for none. */
export function FieldInput(parts: InputParts) {
  const { field, path, model, value, faults = [] } = parts;
  if (isSecret(path)) return <SingleInput {...parts} fault={faultText(model, faults, parts.label)} />;
  const members = value ?? [];
  if (field.input === 'object' && field.array && model !== undefined && Array.isArray(members) && members.every(isRow))
    return <MembersInput {...parts} {...{ model, members }} />;
  const plain = { ...parts, fault: faultText(model, faults, parts.label) };
  if (field.input === 'json' || field.input === 'object') return <JsonInput {...plain} />;
  return field.array ? <ListInput {...plain} /> : <SingleInput {...plain} />;
}

type MembersParts = InputParts & { readonly model: OwnModel; readonly members: readonly Row[] };

function MembersInput({ path, place = path, label, set, faults = [], disabled, model, members, field }: MembersParts) {
  const places = members.map((_, at) => `${place}.${at}`);
  const pages = useMemberPages({ label, members, kind: 'lines', faults, place });
  return (
    <Fieldset legend={label} disabled={disabled === true} data-members>
      <Stack gap="sm">
        <Described text={field.description} />
        {pages.shown.map(([member, at]) => (
          <MemberRow key={at} {...{ members, at, set }} show={pages.show} name={`${label} ${at + 1}`}>
            <Fieldset legend={`${label} ${at + 1}`}>
              <PartInputs
                {...{ model, path }}
                value={member}
                set={(next) => set(members.with(at, next))}
                place={places[at] ?? ''}
                faults={faultsBelow(faults, places[at] ?? '')}
              />
            </Fieldset>
          </MemberRow>
        ))}
        {pages.turn}
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          data-add
          onClick={({ currentTarget }) => {
            pages.show(members.length);
            set([...members, {}]);
            focusOn(currentTarget, members.length, 'input, select, textarea');
          }}
        >
          Add to {label}
        </Button>
        <FaultText text={faultText(model, otherFaults(faults, places), label)} />
      </Stack>
    </Fieldset>
  );
}

interface PartsParts {
  readonly model: OwnModel;
  /** The path of the list, or of the nested document. */
  readonly path: string;
  readonly place: string;
  readonly value: Row;
  readonly set: (value: Row) => void;
  readonly faults: readonly Fault[];
}

/** The inputs of the parts of a document inside of another one. */
function PartInputs({ model, path, place, value, set, faults }: PartsParts) {
  const parts = partsOf(model, path);
  return (
    <Stack gap="xs">
      {parts.map(({ name, field }) => (
        <Part
          key={name}
          {...{ model, field }}
          path={`${path}.${name}`}
          place={`${place}.${name}`}
          value={value[name]}
          set={(next) => set(withPart(value, name, next))}
          faults={faultsBelow(faults, `${place}.${name}`)}
        />
      ))}
      <FaultText
        text={faultText(
          model,
          otherFaults(
            faults,
            parts.map(({ name }) => `${place}.${name}`),
          ),
        )}
      />
    </Stack>
  );
}

interface PartParts extends Omit<PartsParts, 'value' | 'set'> {
  /** Undefined for a nested document. */
  readonly field: Field | undefined;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

function Part({ field, ...parts }: PartParts) {
  const { model, path, value, set } = parts;
  const label = shortLabel(model, path);
  if (field !== undefined) return <FieldInput {...parts} {...{ field, label }} />;
  return (
    <Fieldset legend={label}>
      <Described text={model.nested?.[path]?.description} />
      <PartInputs {...parts} value={isRow(value) ? value : {}} set={set} />
    </Fieldset>
  );
}

/** A document with another part; a nested document that has lost its last part is none. */
function withPart(value: Row, name: string, part: unknown): Row {
  const { [name]: _, ...others } = value;
  const isNone = part === undefined || part === null || (isRow(part) && Object.keys(part).length === 0);
  return isNone ? others : { ...value, [name]: part };
}
