/** The fields of a form: in two columns where there is room, nested ones in a group of their own, and as text where they are not changed. */
import { Box, Fieldset } from '@mantine/core';
import { shallowEqual } from '@mantine/hooks';
import type { Fault } from 'dossier-client';
import { memo } from 'react';
import { isLong, isSecret } from '../api/fields.ts';
import { iconOf, labelOf, shortLabel } from '../api/labels.ts';
import type { Field, OwnModel } from '../api/models.ts';
import { faultsBelow } from './faults.ts';
import { FieldInput } from './inputs/field-input.tsx';
import { Described } from './inputs/list-input.tsx';
import { partsBelow, sectionsOf } from './sections.ts';
import { ShownField } from './shown-field.tsx';

interface FieldsParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  readonly readValue: (path: string) => unknown;
  /** The same function each time; not needed where every path is read only. */
  readonly set?: (path: string, value: unknown) => void;
  readonly faults?: readonly Fault[];
  /** Whether a path is shown as text. */
  readonly isReadOnly: (path: string) => boolean;
}

export function FormFields(parts: FieldsParts) {
  const { model, paths, isReadOnly } = parts;
  // a secret has nothing to show
  const shown = paths.filter((path) => !(isSecret(path) && isReadOnly(path)));
  return (
    <div className="fields">
      {sectionsOf(model, shown).map(([group, members]) =>
        group === '' ? (
          <Level key={group} {...parts} paths={members} above="" />
        ) : (
          <Fieldset key={group} legend={group} className="wide">
            <div className="fields">
              <Level {...parts} paths={members} above="" />
            </div>
          </Fieldset>
        ),
      )}
    </div>
  );
}

/** The fields directly below a path, and the nested documents there, in the order of the model file. @param above empty for all */
function Level({ above, ...parts }: FieldsParts & { readonly above: string }) {
  const { model, paths, readValue, set, faults = [], isReadOnly } = parts;
  return partsBelow(paths, above).map(([path, members]) =>
    members.includes(path) ? (
      <One
        key={path}
        {...{ path, model, set }}
        label={labelWithin(model, path)}
        value={readValue(path)}
        faults={faultsBelow(faults, path)}
        isReadOnly={isReadOnly(path)}
      />
    ) : (
      <Fieldset key={path} legend={withIcon(model.nested?.[path], labelWithin(model, path))} className="wide">
        <Described text={model.nested?.[path]?.description} />
        <div className="fields">
          <Level {...parts} paths={members} above={path} />
        </div>
      </Fieldset>
    ),
  );
}

/** Whether an input takes the whole width. */
const isWide = (path: string, field: Field): boolean =>
  isLong(path, field) ||
  field.input === 'json' ||
  field.input === 'object' ||
  (field.array && field.link !== undefined);

/** The label of a path below the heading of its nested document. */
const labelWithin = (model: OwnModel, path: string): string =>
  path.includes('.') ? shortLabel(model, path) : labelOf(model, path);

/** A label with the icon of the model file, unless that is the name of one. */
const withIcon = (named: { readonly icon?: string } | undefined, label: string): string =>
  named?.icon !== undefined && iconOf(named) === named.icon ? `${named.icon} ${label}` : label;

interface OneParts {
  readonly model: OwnModel;
  readonly path: string;
  readonly label: string;
  readonly value: unknown;
  readonly set: FieldsParts['set'] | undefined;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

/** A field. A key in one of them is no work for the others, among which may be long lists. */
const One = memo(
  function One({ path, label: name, model, value, set, faults, isReadOnly }: OneParts) {
    const field = model.fields[path];
    if (field === undefined) return null;
    const label = withIcon(field, name);
    return (
      <Box className={isWide(path, field) ? 'wide' : undefined} miw={0}>
        {set === undefined || isReadOnly ? (
          <ShownField {...{ model, path, field, label, value }} />
        ) : (
          <FieldInput {...{ path, field, model, label, value, faults }} set={(next) => set(path, next)} />
        )}
      </Box>
    );
  },
  ({ faults, ...one }, { faults: otherFaults, ...other }) =>
    shallowEqual(faults, otherFaults) && shallowEqual(one, other),
);
