/** What two users have changed in one document, in words. Of a field that both have changed, one version is chosen. */
import { Alert, Box, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isSecret, valueAt } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { useNames } from '../api/names.ts';
import { placeOf } from '../api/places.ts';
import { compared, type Edits } from './edits.ts';
import { ChangeWords } from './history/change-words.tsx';
import { type Step, stepsOf } from './history/steps.ts';
import { useTitlesIn } from './history/titles-in.ts';
import { Titles } from './history/value-words.tsx';
import type { Revision } from './use-document.ts';

interface ConflictParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  /** Gives a value of the document as it was when the editing began. */
  readonly readBefore: (path: string) => unknown;
  readonly theirs: Revision;
  readonly edits: Edits;
  /** Saves those of the edits that are chosen, over theirs. */
  readonly save: (chosen: Edits) => void;
  readonly takeTheirs: () => void;
}

export function Conflict({ model, paths, readBefore, theirs, edits, save, takeTheirs }: ConflictParts) {
  const { both, mine, theirs: kept } = compared(paths, readBefore, theirs.document, edits);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const stepsTo = (valueOf: (path: string) => unknown) => (path: string) =>
    changeSteps(model, path, readBefore(path), valueOf(path));
  const byMe = stepsTo((path) => edits.get(path));
  const byThem = stepsTo((path) => valueAt(theirs.document, path));
  const { titleOf } = useTitlesIn(model, [...[...both, ...mine].flatMap(byMe), ...[...both, ...kept].flatMap(byThem)]);
  const choose = (path: string, isTaken: boolean): void =>
    setTaken((now) => new Set([...now].filter((one) => one !== path).concat(isTaken ? [path] : [])));
  const merge = (): void => {
    const chosen = new Map(
      [...edits].filter(([path]) => mine.includes(path) || (both.includes(path) && !taken.has(path))),
    );
    if (chosen.size === 0) takeTheirs();
    else save(chosen);
  };
  return (
    <Frame who={valueAt(theirs.document, '_updated_by_id')}>
      <Titles value={titleOf}>
        <Stack gap="sm">
          {both.map((path) => (
            <Choice
              key={path}
              label={labelOf(model, path)}
              isTaken={taken.has(path)}
              choose={(isTaken) => choose(path, isTaken)}
              mine={<ChangeWords model={model} steps={byMe(path)} />}
              theirs={<ChangeWords model={model} steps={byThem(path)} />}
            />
          ))}
          <Side {...{ model }} title="Changed by you alone" steps={mine.flatMap(byMe)} />
          <Side {...{ model }} title="Changed by them alone, and kept" steps={kept.flatMap(byThem)} />
        </Stack>
      </Titles>
      <Group mt="sm">
        {/* the key that saves the form saves this, which is in its place */}
        <Button size="xs" onClick={merge} data-key="save">
          Merge and save
        </Button>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Frame>
  );
}

/** What changed a value, in one step at least. A secret has none that is shown. */
function changeSteps(model: OwnModel, path: string, from: unknown, to: unknown): readonly Step[] {
  const steps = isSecret(path) ? [] : stepsOf(model, [{ path, from, to }]);
  return steps.length === 0 ? [{ kind: 'value', place: placeOf(model, path) }] : steps;
}

/** A user by name; without one where the caller may not read the user. */
export function useSomeone(id: string | null): string {
  const name = useNames([id])(id);
  return id === null || name === id ? 'Someone else' : name;
}

/** It takes the focus, since the button that has led here can no longer be pressed. */
function Frame({ who, children }: { readonly who: unknown; readonly children: ReactNode }) {
  const name = useSomeone(typeof who === 'string' ? who : null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Alert
      ref={frame}
      color="orange"
      className="conflict"
      variant="outline"
      mb="md"
      role="region"
      tabIndex={-1}
      title={`${name} has changed this document`}
    >
      {children}
    </Alert>
  );
}

interface ChoiceParts {
  readonly label: string;
  readonly isTaken: boolean;
  readonly choose: (isTaken: boolean) => void;
  readonly mine: ReactNode;
  readonly theirs: ReactNode;
}

/** A field that both have changed. */
function Choice({ label, isTaken, choose, mine, theirs }: ChoiceParts) {
  const id = useId();
  return (
    <Radio.Group label={label} value={isTaken ? 'theirs' : 'mine'} onChange={(value) => choose(value === 'theirs')}>
      {(
        [
          ['mine', 'Yours', mine],
          ['theirs', 'Theirs', theirs],
        ] as const
      ).map(([value, name, words]) => (
        <div key={value}>
          <Radio mt={4} value={value} label={name} aria-describedby={`${id}-${value}`} />
          <Box id={`${id}-${value}`} pl="xl">
            {words}
          </Box>
        </div>
      ))}
    </Radio.Group>
  );
}

interface SideParts {
  readonly model: OwnModel;
  readonly title: string;
  readonly steps: readonly Step[];
}

const Side = ({ model, title, steps }: SideParts) =>
  steps.length === 0 ? null : (
    <section aria-label={title}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <ChangeWords {...{ model, steps }} />
    </section>
  );
