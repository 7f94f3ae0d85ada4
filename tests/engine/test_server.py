"""The socket that our servers listen on."""

import asyncio
import socket

from serinus.engine.server import socket_at


def test_what_a_server_writes_apart_never_waits_for_the_peer_in_between():
    async def story():
        taken = asyncio.get_running_loop().create_future()
        sock = socket_at("127.0.0.1", 0, 1)
        server = await asyncio.start_server(lambda _, writer: taken.set_result(writer), sock=sock)
        async with server:
            _, caller = await asyncio.open_connection(*sock.getsockname())
            writer = await taken
            caller.close()
            writer.close()
            return writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert asyncio.run(story())
