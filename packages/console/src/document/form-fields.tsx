/** The fields of a form: nested ones in a group of their own. */
import { Fieldset, Stack } from '@mantine/core';
import type { Fault } from 'dossier-client';
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

/** The fault of a field, or of something inside of its value. */
const faultAt = (faults: readonly Fault[], path: string): string | undefined =>
  faults
    .filter((fault) => fault.path === path || fault.path.startsWith(`${path}.`))
    .map(({ message }) => message)
    .join('; ') || undefined;

/** Faults that no field of the form shows. */
export const otherFaults = (faults: readonly Fault[], paths: readonly string[]): Fault[] =>
  faults.filter(({ path }) => !paths.some((one) => path === one || path.startsWith(`${one}.`)));

export function FormFields(parts: FieldsParts) {
  const { paths } = parts;
  const groups = [...Map.groupBy(paths, groupOf)];
  return (
    <Stack>
      {groups.map(([group, members]) =>
        group === '' ? (
          members.map((path) => <One key={path} path={path} label={path} {...parts} />)
        ) : (
          <Fieldset key={group} legend={group}>
            <Stack>
              {members.map((path) => (
                <One key={path} path={path} label={path.slice(group.length + 1)} {...parts} />
              ))}
            </Stack>
          </Fieldset>
        ),
      )}
    </Stack>
  );
}

const groupOf = (path: string): string => (path.includes('.') ? (path.split('.', 1)[0] ?? '') : '');

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
      {...{ path, field, label, model }}
      value={readValue(path)}
      set={(value) => set(path, value)}
      fault={faultAt(faults, path)}
      disabled={isDisabled(path)}
    />
  );
}
