/** An input for a list of objects with fields of their own. */
import { Button, Fieldset, Stack } from '@mantine/core';
import { shortLabel } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import type { InputParts } from './input-parts.ts';
import { Described, Fault } from './list-input.tsx';
import { MemberRow } from './member-row.tsx';
import { ValueInput } from './value-input.tsx';

type Member = Readonly<Record<string, unknown>>;

export function MembersInput({
  path,
  label,
  value,
  set,
  fault,
  disabled,
  model,
}: InputParts & { readonly model: OwnModel }) {
  const members: readonly Member[] = Array.isArray(value) ? (value as readonly Member[]) : [];
  const prefix = `${path}.`;
  // deeper levels are edited as JSON by the field above them
  const names = Object.keys(model.fields).flatMap((one) => {
    const name = one.startsWith(prefix) ? one.slice(prefix.length) : '';
    return name === '' || name.includes('.') || name === '_id' || model.fields[one]?.hidden === true ? [] : [name];
  });
  return (
    <Fieldset legend={label} disabled={disabled === true}>
      <Stack gap="sm">
        <Described text={model.fields[path]?.description} />
        {members.map((member, at) => (
          <MemberRow key={at} {...{ members, at, set }} name={`${label} ${at + 1}`}>
            <Fieldset legend={`${label} ${at + 1}`}>
              <Stack gap="xs">
                {names.map((name) => (
                  <MemberField
                    key={name}
                    {...{ name, member, model }}
                    path={prefix + name}
                    set={(next) => set(members.with(at, next))}
                  />
                ))}
              </Stack>
            </Fieldset>
          </MemberRow>
        ))}
        <Button size="xs" variant="default" w="fit-content" onClick={() => set([...members, {}])}>
          Add to {label}
        </Button>
        <Fault text={fault} />
      </Stack>
    </Fieldset>
  );
}

interface MemberParts {
  readonly path: string;
  readonly name: string;
  readonly member: Member;
  readonly model: OwnModel;
  readonly set: (member: Member) => void;
}

function MemberField({ path, name, member, model, set }: MemberParts) {
  const field = model.fields[path];
  if (field === undefined) return null;
  const write = (value: unknown): void => {
    const { [name]: ignored, ...others } = member;
    set(value === undefined || value === null ? others : { ...member, [name]: value });
  };
  return <ValueInput {...{ path, field }} label={shortLabel(model, path)} value={member[name]} set={write} />;
}
