/** The charts of figures: bars over time as a picture with a table beside it for screen readers, and a table of values with bars. */
import { Box, Table, Text, VisuallyHidden } from '@mantine/core';
import { numberText } from '../../parts/numbers.ts';

/** A number with what it is called. */
interface Named {
  readonly label: string;
  readonly value: number;
}

interface ChartParts {
  /** What the numbers are of. */
  readonly title: string;
  readonly points: readonly Named[];
}

const [width, height, gap] = [300, 90, 1];

export function Periods({ title, points }: ChartParts) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value: number): number => height - ((value - low) / (high - low || 1)) * height;
  const step = width / Math.max(points.length, 1);
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} preserveAspectRatio="none" aria-hidden>
        {points.map(({ label, value }, at) => (
          <rect
            key={label}
            className="bar"
            x={at * step + gap / 2}
            width={Math.max(step - gap, 1)}
            y={Math.min(y(value), y(0))}
            height={Math.abs(y(value) - y(0))}
          >
            <title>{`${label}: ${numberText(value)}`}</title>
          </rect>
        ))}
      </svg>
      <Text size="xs" aria-hidden className="ends">
        <span>{points[0]?.label}</span>
        <span>{`up to ${numberText(high)}`}</span>
        <span>{points.at(-1)?.label}</span>
      </Text>
      <VisuallyHidden>
        <Numbers title={title} points={points} />
      </VisuallyHidden>
    </>
  );
}

const Numbers = ({ title, points }: ChartParts) => (
  <table>
    <caption>{title}</caption>
    <tbody>
      {points.map(({ label, value }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td>{numberText(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

export function Values({ title, points }: ChartParts) {
  const most = Math.max(...points.map(({ value }) => Math.abs(value)), 0) || 1;
  return (
    <Table aria-label={title} withRowBorders={false} verticalSpacing={2}>
      <Table.Tbody>
        {points.map(({ label, value }, at) => (
          <Table.Tr key={at}>
            <Table.Th scope="row" fw={400} className="anywhere" dir="auto">
              {label}
            </Table.Th>
            <Table.Td w="45%">
              <Box className="bar" h={12} w={`${(Math.abs(value) / most) * 100}%`} />
            </Table.Td>
            <Table.Td ta="right">{numberText(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
