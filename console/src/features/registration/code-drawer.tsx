import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, registrationRegister } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefreshRegistration } from './queries';

const MAX_CODE_LENGTH = 4000;

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Takes a code. One that is not valid is refused by the server, and the present one stays. */
export default function CodeDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('registration');
  const refresh = useRefreshRegistration();
  const save = async (body: { code: string }) => {
    const { holder } = await call(registrationRegister({ body }));
    notify('success', t('taken', { holder }));
    await refresh();
  };
  return (
    <FormDrawer<{ code: string }>
      asked="modify"
      title={t('enterCode')}
      open={open}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('codeHint')}</p>
      <Form.Item
        name="code"
        label={t('code')}
        rules={[{ required: true, whitespace: true, message: t('codeFault') }]}
      >
        <Input.TextArea
          {...upTo(MAX_CODE_LENGTH)}
          autoSize={{ minRows: 4, maxRows: 12 }}
          spellCheck={false}
        />
      </Form.Item>
    </FormDrawer>
  );
}
