/** The charts of figures: bars or a line over time, as a picture with a table beside it for screen readers, and a table of values with bars. */
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
/** Periods that are shown as bars; more of them are a line. */
const maxBars = 31;

interface DrawnParts {
  readonly points: readonly Named[];
  /** The height of a number in the picture, from above. */
  readonly y: (value: number) => number;
  /** The width of a period. */
  readonly step: number;
}

export function Periods({ title, points }: ChartParts) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value: number): number => height - ((value - low) / (high - low || 1)) * height;
  const drawn = { points, y, step: width / Math.max(points.length, 1) };
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} preserveAspectRatio="none" aria-hidden>
        {points.length > maxBars ? <Line {...drawn} /> : <Bars {...drawn} />}
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

const nameOf = ({ label, value }: Named): string => `${label}: ${numberText(value)}`;

const Bars = ({ points, y, step }: DrawnParts) =>
  points.map((point, at) => (
    <rect
      key={point.label}
      className="bar"
      x={at * step + gap / 2}
      width={Math.max(step - gap, 1)}
      y={Math.min(y(point.value), y(0))}
      height={Math.abs(y(point.value) - y(0))}
    >
      <title>{nameOf(point)}</title>
    </rect>
  ));

/** A line over its area. Each period is named where the pointer is, by a column that is not seen. */
function Line({ points, y, step }: DrawnParts) {
  const places = points.map(({ value }, at) => `${(at + 0.5) * step},${y(value)}`);
  const end = (points.length - 0.5) * step;
  return (
    <>
      <polygon className="area" points={[`${step / 2},${y(0)}`, ...places, `${end},${y(0)}`].join(' ')} />
      <polyline className="line" points={places.join(' ')} />
      {points.map((point, at) => (
        <rect key={point.label} className="hover" x={at * step} width={step} y={0} height={height}>
          <title>{nameOf(point)}</title>
        </rect>
      ))}
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
