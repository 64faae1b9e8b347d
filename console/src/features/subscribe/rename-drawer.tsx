import { call, type SubscriberRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { NameField } from '@/shared/ui/name-field';
import { useWords } from './audience';
import { calls, useRefresh } from './queries';

interface Props {
  customer: Pick<SubscriberRecord, 'id' | 'name'>;
  onClose: () => void;
}

/** A subscriber's name. */
export default function RenameDrawer({ customer, onClose }: Props) {
  const { t } = useWords();
  const isActive = usePageActive();
  const refresh = useRefresh();
  const save = async ({ name }: { name: string }) => {
    await call(calls.editCustomer({ body: { customerId: customer.id, name } }));
    await refresh();
    notify('success', t('saved', { name }));
  };
  return (
    <FormDrawer<{ name: string }>
      asked="modify"
      title={t('customer.edit', { name: customer.name })}
      open={isActive}
      initialValues={{ name: customer.name }}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField label={t('name')} emptyFault={t('nameFault')} />
    </FormDrawer>
  );
}
