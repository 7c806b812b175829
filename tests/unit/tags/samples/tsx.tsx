import { forwardRef, type ReactNode } from "react";

export interface GridProps<T> { rows: T[]; render: (row: T) => ReactNode; }

export const Grid = <T extends Row,>({ rows, render }: GridProps<T>) => (
  <Table data-n={rows.length}>
    {rows.map((r) => <Cell<T> key={r.id} value={r}>{render(r)}</Cell>)}
  </Table>
);

export const Input = forwardRef<HTMLInputElement, Props>((props, ref) => (
  <input ref={ref} {...props} onChange={(e) => emitChange(e.target.value)} />
));

export class Page extends Component<PageProps> {
  render() { return <><Notice.Text>none</Notice.Text></>; }
}
