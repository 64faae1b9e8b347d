import { Form, Input, Modal, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { toFault } from '@/shared/ui/form-faults';
import { upTo } from '@/shared/ui/up-to';
import { useCustomers } from '@/shared/widgets/selectors/queries';
import { type Message, useDeliver } from './queries';

const LONGEST = 200;

/** Puts a message before the users of subscribers. */
export default function DeliveryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['alert', 'common']);
  const [form] = Form.useForm<Message>();
  const customers = useCustomers('client');
  const deliver = useDeliver();
  const submit = (values: Message) =>
    deliver.mutate(values, {
      onSuccess: () => {
        notify('success', t('alert:deliver.done', { count: values.customerIds.length }));
        onClose();
      },
    });
  return (
    <Modal
      open
      title={t('alert:deliver.title')}
      okText={t('alert:deliver.send')}
      cancelText={t('common:action.cancel')}
      confirmLoading={deliver.isPending}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Form form={form} layout="vertical" onFinish={submit} scrollToFirstError={toFault}>
        <Form.Item
          name="customerIds"
          label={t('alert:deliver.customers')}
          rules={[{ required: true, message: t('alert:deliver.customersEmpty') }]}
        >
          <Select
            mode="multiple"
            allowClear
            loading={customers.isPending}
            showSearch={{ optionFilterProp: 'label' }}
            notFoundContent={t('alert:deliver.noCustomers')}
            options={customers.data?.map(({ customerid, name }) => ({ value: customerid, label: name }))}
          />
        </Form.Item>
        <Form.Item
          name="messageContent"
          label={t('alert:deliver.content')}
          rules={[{ required: true, whitespace: true, message: t('alert:deliver.contentEmpty') }]}
        >
          <Input.TextArea rows={4} {...upTo(LONGEST)} showCount />
        </Form.Item>
      </Form>
    </Modal>
  );
}
