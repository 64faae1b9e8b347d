import { Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlertRecord } from '@/shared/api';
import { localTimes } from '@/shared/lib/local-times';
import { notify } from '@/shared/lib/notices';
import { useAssign, useAssignees } from './queries';

/** Assigns an alert to a user; left empty, to none. */
export default function AssignDialog({ alert, onClose }: { alert: AlertRecord; onClose: () => void }) {
  const { t } = useTranslation(['alert', 'common']);
  const [form] = Form.useForm<{ userId?: string }>();
  const [search, setSearch] = useState('');
  const found = useAssignees(alert.id, search);
  const assign = useAssign(alert.id);
  const users = (found.data?.records ?? []).map(({ id, userName, nickName }) => ({
    value: id,
    label: nickName === userName ? userName : `${userName} (${nickName})`,
  }));
  const { assigneeId, assigneeName } = alert;
  // Who is chosen may stand on a later page.
  const isListed = !assigneeId || search !== '' || users.some(({ value }) => value === assigneeId);
  const options = isListed ? users : [{ value: assigneeId, label: assigneeName ?? '' }, ...users];
  return (
    <Modal
      open
      title={t('alert:assignTitle')}
      okText={t('alert:assign')}
      cancelText={t('common:action.cancel')}
      confirmLoading={assign.isPending}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p className="alert-subject">{localTimes(alert.content)}</p>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ userId: assigneeId ?? undefined }}
        onFinish={({ userId }) =>
          assign.mutate(userId ?? null, {
            onSuccess: () => {
              notify('success', t('alert:assigned'));
              onClose();
            },
          })
        }
      >
        <Form.Item
          name="userId"
          label={t('alert:assignee')}
          extra={found.error?.message ?? t('alert:assigneeHint')}
        >
          <Select
            allowClear
            loading={found.isFetching}
            showSearch={{ filterOption: false, onSearch: setSearch }}
            placeholder={t('alert:nobody')}
            options={options}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}
