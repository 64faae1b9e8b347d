import type { FindingRecord } from '@/shared/api';

/** What the last pre-check had against one field, under the field. */
export function Findings({ findings }: { findings: readonly FindingRecord[] }) {
  return findings.map(({ code, column, level, text, advice, remedy }) => (
    <div
      key={`${code} ${column}`}
      role={level === 'error' ? 'alert' : undefined}
      className={level === 'error' ? 'wizard-note-blocking' : 'wizard-note'}
    >
      {text}
      {advice && <div className="wizard-note">{advice}</div>}
      {remedy && <div className="wizard-note">{remedy}</div>}
    </div>
  ));
}
