import type { EditPlan, SheetRecord } from '@/shared/api';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { useWords } from './audience';

/** Asks before a table is loaded again, or keeps rows of its previous settings; answers whether to change it. */
export function useChangeQuestion(): (table: SheetRecord, plan: EditPlan) => Promise<boolean> {
  const { t } = useWords();
  const confirm = useConfirmDanger();
  return (table, { consequence, shadowTable }) => {
    if (consequence === 'none') return Promise.resolve(true);
    const name = table.source;
    const load = t(table.suspended ? 'sheet.change.reloadLater' : 'sheet.change.reloadNow');
    const seen = t(shadowTable ? 'sheet.change.shown' : 'sheet.change.incomplete');
    const words =
      consequence === 'reload'
        ? {
            title: t('sheet.change.reload', { name }),
            content: `${load} ${seen}`,
            action: t('sheet.change.doReload'),
          }
        : {
            title: t('sheet.change.continue', { name }),
            content: t('sheet.change.continueHint'),
            action: t('sheet.change.doContinue'),
          };
    return new Promise((resolve) => {
      confirm({ ...words, run: async () => resolve(true), onDecline: () => resolve(false) });
    });
  };
}

/** What another ETL rule does to a table: it always changes rows. */
export const rulePlan = ({ load, clean }: SheetRecord): EditPlan =>
  load === 'incremental'
    ? { consequence: 'continue', shadowTable: false }
    : { consequence: 'reload', shadowTable: clean === 'none' };
