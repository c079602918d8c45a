// A table with named columns: each column says how to show a row.
import type { ReactNode } from 'react';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  number?: boolean;
  /** Takes what room there is, and is cut with dots. */
  wide?: boolean;
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
}

export function Table<Row>({ label, rows, rowKey, columns }: TableProps<Row>): ReactNode {
  return (
    // A table wider than the screen scrolls on its own, with the keyboard too.
    <section className="table-wrap" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} scope="col" className={number === true ? 'number' : undefined}>
                {title === '' ? <span className="hidden">Actions</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, number, wide }) => (
                <td
                  key={title}
                  className={number === true ? 'number' : undefined}
                  data-title={title}
                  data-wide={wide === true ? '' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
