from ..channel_writer import Writer
class RigifyWriter(Writer):
    pass
