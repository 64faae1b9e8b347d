import { App, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  type BusTopicRecord,
  call,
  type DeletionPreview,
  messageBusDelete,
  messageBusPreviewDeletion,
} from '@/shared/api';
import { bytes, count } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

const MAX_NAMES = 10;

/** Deletes a topic, once the viewer has read what breaks and typed its name. */
export function useDeletion(containerId: string): (topic: BusTopicRecord) => Promise<void> {
  const { t } = useTranslation('message-bus');
  const { modal } = App.useApp();
  const refresh = useRefresh();
  return async (topic) => {
    const place = { containerId, topic: topic.name };
    const preview = await call(messageBusPreviewDeletion({ body: place })).catch(reportFailure('status'));
    if (preview.refused) {
      modal.warning({ title: t('deleteRefused'), content: preview.refused });
      return;
    }
    let typed = '';
    confirmDelete({
      title: t('deleteTitle', { name: topic.name }),
      content: <Breaks topic={topic} preview={preview} onType={(text) => (typed = text)} />,
      dependants: null,
      action: t('deleteTopic'),
      mode: 'post',
      run: async (proof) => {
        if (typed !== topic.name) {
          notify('error', t('notTyped', { name: topic.name }));
          throw new Error('the name was not typed');
        }
        await call(messageBusDelete({ body: { ...place, typed, ...proof }, ...audited(topic) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: topic.name }));
        await refresh();
      },
    });
  };
}

interface BreaksProps {
  topic: BusTopicRecord;
  preview: DeletionPreview;
  onType: (text: string) => void;
}

/** What breaks, and the field for the name. */
function Breaks({ topic, preview, onType }: BreaksProps) {
  const { t } = useTranslation('message-bus');
  const field = useId();
  const { readers, records, sizeBytes, tables, nodeName } = preview;
  const kind = !nodeName
    ? 'ownerless'
    : topic.role === 'real'
      ? 'real'
      : topic.current
        ? 'current'
        : 'former';
  return (
    <>
      <p>{t('deleteLoss', { count: records, size: bytes(sizeBytes) })}</p>
      <p>{t(`deleteBreaks.${kind}`, { node: nodeName })}</p>
      {readers.length > 0 && (
        <>
          <p>{t('deleteReaders', { count: readers.length, tables: count(tables) })}</p>
          <ul className="bus-list">
            {readers.slice(0, MAX_NAMES).map(({ kind: of, id, owner, name }) => (
              <li key={`${of} ${id}`}>
                {owner} / {name} ({t(`readerKinds.${of}`)})
              </li>
            ))}
            {readers.length > MAX_NAMES && <li>…</li>}
          </ul>
        </>
      )}
      <div className="bus-typed">
        <label htmlFor={field}>{t('typeName', { name: topic.name })}</label>
        <Input
          id={field}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onType(target.value)}
        />
      </div>
    </>
  );
}
