/** The fields of a form: in two columns where there is room, nested ones in a group of their own, and as text where they are not changed. */
import { Box, Fieldset } from '@mantine/core';
import type { Fault } from 'dossier-client';
import { isLong, isSecret } from '../api/fields.ts';
import { iconOf, labelOf, shortLabel } from '../api/labels.ts';
import type { Field, OwnModel } from '../api/models.ts';
import { faultsBelow } from './faults.ts';
import { FieldInput } from './inputs/field-input.tsx';
import { ShownField } from './shown-field.tsx';

interface FieldsParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  readonly readValue: (path: string) => unknown;
  /** Not needed where every path is read only. */
  readonly set?: (path: string, value: unknown) => void;
  readonly faults?: readonly Fault[];
  /** Whether a path is shown as text. */
  readonly isReadOnly: (path: string) => boolean;
}

export function FormFields(parts: FieldsParts) {
  const { model, paths, isReadOnly } = parts;
  // a secret has nothing to show
  const shown = paths.filter((path) => !(isSecret(path) && isReadOnly(path)));
  const groups = [...Map.groupBy(shown, (path) => groupOf(model, path))];
  return (
    <div className="fields">
      {groups.map(([group, members]) =>
        group === '' ? (
          members.map((path) => <One key={path} path={path} label={labelOf(model, path)} {...parts} />)
        ) : (
          <Fieldset key={group} legend={group} className="wide">
            <div className="fields">
              {members.map((path) => (
                <One key={path} path={path} label={labelWithin(model, path)} {...parts} />
              ))}
            </div>
          </Fieldset>
        ),
      )}
    </div>
  );
}

/** Whether an input takes the whole width. */
const isWide = (path: string, field: Field): boolean =>
  isLong(path, field) ||
  field.input === 'json' ||
  field.input === 'object' ||
  (field.array && field.link !== undefined);

/** The label of a path without its first name where that is the heading of its group. */
function labelWithin(model: OwnModel, path: string): string {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0 || model.fields[path]?.group !== undefined) return labelOf(model, path);
  return rest.map((_, at) => shortLabel(model, [first, ...rest.slice(0, at + 1)].join('.'))).join(': ');
}

/** The heading above a path: its group, or for a nested path the label of the first name; empty for none. */
const groupOf = (model: OwnModel, path: string): string =>
  model.fields[path]?.group ?? (path.includes('.') ? labelOf(model, path.split('.', 1)[0] ?? '') : '');

function One(parts: FieldsParts & { readonly path: string; readonly label: string }) {
  const { path, model, readValue, set, faults = [], isReadOnly } = parts;
  const field = model.fields[path];
  if (field === undefined) return null;
  const label = field.icon !== undefined && iconOf(field) === field.icon ? `${field.icon} ${parts.label}` : parts.label;
  const value = readValue(path);
  return (
    <Box className={isWide(path, field) ? 'wide' : undefined} miw={0}>
      {set === undefined || isReadOnly(path) ? (
        <ShownField {...{ model, path, field, label, value }} />
      ) : (
        <FieldInput
          {...{ path, field, model, label, value }}
          set={(next) => set(path, next)}
          faults={faultsBelow(faults, path)}
        />
      )}
    </Box>
  );
}
