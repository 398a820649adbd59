/** The changes of an entry in words, one line each. */
import { Button, List, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { OwnModel } from '../../api/models.ts';
import { dateText, exactText } from '../../parts/dates.ts';
import { isNothing, type ListStep, type Step } from './steps.ts';
import { ValueWords } from './value-words.tsx';
import { shortened, wordDifferences } from './word-differences.ts';

/** Lines of an entry that are shown at once, and members of a list in one line. */
const [maxLines, maxMembers] = [8, 10];

interface ChangesParts {
  readonly model: OwnModel;
  readonly steps: readonly Step[];
}

export function ChangeWords({ model, steps }: ChangesParts) {
  const [isOpen, setOpen] = useState(false);
  // a button for one line would take the place of that line
  const isFolded = !isOpen && steps.length > maxLines + 1;
  if (steps.length === 0) return null;
  return (
    <>
      <List size="sm" listStyleType="none" withPadding={false}>
        {(isFolded ? steps.slice(0, maxLines) : steps).map((step, at) => (
          <List.Item key={at} className="anywhere">
            <StepWords model={model} step={step} />
          </List.Item>
        ))}
      </List>
      {isFolded ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
          Show all {steps.length} changes
        </Button>
      ) : null}
    </>
  );
}

/** Characters from which on two texts are compared by words. */
const longText = 60;

const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > longText || value.includes('\n'));

function StepWords({ model, step }: { readonly model: OwnModel; readonly step: Step }) {
  const { place } = step;
  const name = <b>{place.label}</b>;
  if (step.kind === 'list') return <ListWords model={model} step={step} />;
  const { from, to } = step;
  const value = (given: unknown) => <ValueWords {...{ model, path: place.path, field: place.field, value: given }} />;
  if (isNothing(from) && isNothing(to)) return <>changed {name}</>;
  if (isNothing(from))
    return (
      <>
        set {name} to {value(to)}
      </>
    );
  if (isNothing(to))
    return (
      <>
        removed {name}, which was {value(from)}
      </>
    );
  const isText = place.field === undefined || (place.field.input === 'text' && place.field.enum === undefined);
  if (isText && typeof from === 'string' && typeof to === 'string' && (isLongText(from) || isLongText(to)))
    return (
      <>
        changed {name}: <TextDifference from={from} to={to} />
      </>
    );
  const isDates = place.field?.input === 'date' && typeof from === 'string' && typeof to === 'string';
  const shown = isDates ? dateIn(from, to) : value;
  return (
    <>
      changed {name} from {shown(from)} to {shown(to)}
    </>
  );
}

/** Dates as exact as needed to tell both apart. */
function dateIn(from: string, to: string): (date: unknown) => ReactNode {
  const textOf = dateText(from) === dateText(to) ? exactText : dateText;
  return (date) => (
    <time dateTime={String(date)} title={exactText(String(date))}>
      {textOf(String(date))}
    </time>
  );
}

/** The words that differ, which a screen reader names. */
const TextDifference = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <span className="difference" dir="auto">
    {shortened(wordDifferences(from, to)).map(({ kind, text }, at) =>
      kind === 'same' ? (
        <Fragment key={at}>{text}</Fragment>
      ) : kind === 'added' ? (
        <ins key={at}>
          <VisuallyHidden>(added: </VisuallyHidden>
          {text}
          <VisuallyHidden>)</VisuallyHidden>
        </ins>
      ) : (
        <del key={at}>
          <VisuallyHidden>(removed: </VisuallyHidden>
          {text}
          <VisuallyHidden>)</VisuallyHidden>
        </del>
      ),
    )}
  </span>
);

function ListWords({
  model,
  step: { place, added, removed, moved },
}: {
  readonly model: OwnModel;
  readonly step: ListStep;
}) {
  const member = ({ value }: { readonly value: unknown }) => (
    <ValueWords {...{ model, path: place.path, field: place.field, value }} />
  );
  const parts = [
    added.length === 0 ? null : <>added {listed(added.map(member))}</>,
    removed.length === 0 ? null : <>removed {listed(removed.map(member))}</>,
    moved.length === 0
      ? null
      : listed(
          moved.map((one) => (
            <>
              moved {member(one)} from {one.at} to {one.to}
            </>
          )),
        ),
  ].filter((part) => part !== null);
  return (
    <>
      <b>{place.label}</b>:{' '}
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at === 0 ? '' : '; '}
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** Members behind one another, the rest as a number. */
const listed = (members: readonly ReactNode[]): ReactNode => (
  <>
    {members.slice(0, maxMembers).map((member, at) => (
      <Fragment key={at}>
        {at === 0 ? '' : ', '}
        {member}
      </Fragment>
    ))}
    {members.length > maxMembers ? ` and ${members.length - maxMembers} more` : ''}
  </>
);
