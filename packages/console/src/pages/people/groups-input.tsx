/** The groups of a user: chips, with the known groups as suggestions. A name that is not among them is pointed out, and allowed. */
import { Stack, TagsInput, type TagsInputProps, Text } from '@mantine/core';
import { listText } from '../../api/labels.ts';
import { useModels } from '../../api/models.ts';
import { useChoiceList } from '../../parts/choice-list.ts';
import { groupsInModels, unknownGroups } from './groups.ts';
import { useGroups } from './use-users.ts';

interface Props extends Pick<TagsInputProps, 'description' | 'miw'> {
  readonly value: readonly string[];
  readonly onChange: (names: string[]) => void;
}

export function GroupsInput({ value, onChange, ...shown }: Props) {
  const models = useModels().data;
  const list = useChoiceList();
  const ofUsers = useGroups();
  const known = [...new Set([...groupsInModels(models?.values() ?? []), ...(ofUsers?.names ?? [])])].sort();
  const isWhole = models !== undefined && ofUsers?.isPart === false;
  const unknown = isWhole ? unknownGroups(value, known) : [];
  return (
    <Stack gap={4}>
      <TagsInput
        label="Groups"
        value={[...value]}
        onChange={onChange}
        data={known}
        splitChars={[]}
        {...list}
        {...shown}
      />
      {unknown.length === 0 ? null : (
        <Text size="sm" role="status">
          No model and no user has the {unknown.length === 1 ? 'group' : 'groups'} {listText(unknown)}. Check the
          spelling.
        </Text>
      )}
    </Stack>
  );
}
