/** The fields of a form: nested ones in a group of their own. */
import { Fieldset, Stack } from '@mantine/core';
import type { Fault } from 'dossier-client';
import { iconOf, labelOf, shortLabel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { FieldInput } from './inputs/field-input.tsx';

interface FieldsParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  readonly readValue: (path: string) => unknown;
  readonly set: (path: string, value: unknown) => void;
  readonly faults: readonly Fault[];
  readonly isDisabled: (path: string) => boolean;
}

/** The fault of a field, or of something inside of its value. A message that begins with the path begins with its label here. */
const faultAt = (faults: readonly Fault[], path: string, label: string): string | undefined =>
  faults
    .filter((fault) => fault.path === path || fault.path.startsWith(`${path}.`))
    .map(({ message }) => (message.startsWith(`${path} `) ? label + message.slice(path.length) : message))
    .join('; ') || undefined;

/** Faults that no field of the form shows. */
export const otherFaults = (faults: readonly Fault[], paths: readonly string[]): Fault[] =>
  faults.filter(({ path }) => !paths.some((one) => path === one || path.startsWith(`${one}.`)));

export function FormFields(parts: FieldsParts) {
  const { paths } = parts;
  const groups = [...Map.groupBy(paths, (path) => groupOf(parts.model, path))];
  return (
    <Stack>
      {groups.map(([group, members]) =>
        group === '' ? (
          members.map((path) => <One key={path} path={path} label={labelOf(parts.model, path)} {...parts} />)
        ) : (
          <Fieldset key={group} legend={group}>
            <Stack>
              {members.map((path) => (
                <One key={path} path={path} label={labelWithin(parts.model, path)} {...parts} />
              ))}
            </Stack>
          </Fieldset>
        ),
      )}
    </Stack>
  );
}

/** The label of a path without its first name where that is the heading of its group. */
function labelWithin(model: OwnModel, path: string): string {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0 || model.fields[path]?.group !== undefined) return labelOf(model, path);
  return rest.map((_, at) => shortLabel(model, [first, ...rest.slice(0, at + 1)].join('.'))).join(': ');
}

/** The heading above a path: its group, or for a nested path the label of the first name; empty for none. */
const groupOf = (model: OwnModel, path: string): string =>
  model.fields[path]?.group ?? (path.includes('.') ? labelOf(model, path.split('.', 1)[0] ?? '') : '');

function One({
  path,
  label,
  model,
  readValue,
  set,
  faults,
  isDisabled,
}: FieldsParts & { path: string; label: string }) {
  const field = model.fields[path];
  if (field === undefined) return null;
  return (
    <FieldInput
      {...{ path, field, model }}
      label={field.icon !== undefined && iconOf(field) === field.icon ? `${field.icon} ${label}` : label}
      value={readValue(path)}
      set={(value) => set(path, value)}
      fault={faultAt(faults, path, label)}
      disabled={isDisabled(path)}
    />
  );
}
